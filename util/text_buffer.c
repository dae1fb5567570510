/* SPDX-License-Identifier: MIT */
#include "util/text_buffer.h"

#include "util/room.h"

#include <stdarg.h>
#include <stdio.h>

int td_text_buffer_reserve(struct td_text_buffer *t, size_t length)
{
    return td_room(&t->at, &t->room, length + 1, 1);
}

int td_text_buffer_add(struct td_text_buffer *t, const char *format, ...)
{
    va_list args, again;
    int n;

    va_start(args, format);
    va_copy(again, args);
    n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (n >= 0 && !td_text_buffer_reserve(t, t->length + (size_t)n)) {
        vsnprintf(t->at + t->length, (size_t)n + 1, format, again);
        t->length += (size_t)n;
        n = 0;
    } else {
        n = -ENOMEM;
    }
    va_end(again);
    return n;
}

int td_text_buffer_clear(struct td_text_buffer *t)
{
    const int err = td_text_buffer_reserve(t, 0);

    if (err)
        return err;
    t->length = 0;
    t->at[0] = '\0';
    return 0;
}

void td_text_buffer_free(struct td_text_buffer *t)
{
    free(t->at);
    *t = (struct td_text_buffer){0};
}
