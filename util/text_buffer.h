/* SPDX-License-Identifier: MIT */
/* A text that grows. */
#ifndef TD_TEXT_BUFFER_H
#define TD_TEXT_BUFFER_H

#include <stddef.h>

/* Zeroed to begin with; at is NULL until it is first written to. */
struct td_text_buffer {
    char *at;
    size_t length, room;
};

/* Puts a formatted text at the end. -ENOMEM: nothing has changed. */
int td_text_buffer_add(struct td_text_buffer *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Room for a text of that length in all. -ENOMEM. */
int td_text_buffer_reserve(struct td_text_buffer *, size_t length);
/* Makes it empty. -ENOMEM. */
int td_text_buffer_clear(struct td_text_buffer *);
void td_text_buffer_free(struct td_text_buffer *);

#endif
