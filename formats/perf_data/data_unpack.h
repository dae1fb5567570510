/* SPDX-License-Identifier: MIT */
/* Records that perf record -z has compressed: one zstd stream in pieces, whose ends need not be those of records. */
#ifndef TD_DATA_UNPACK_H
#define TD_DATA_UNPACK_H

#include "formats/perf_data/perf_data.h"

enum {
    TD_UNPACK_MOST = 32 << 20, /* bytes that one piece may hold */
    TD_UNPACK_RATIO = 32, /* how many times as long all of it may become: perf's buffers shrink to a tenth */
};

struct td_perf_unpack;

/* Unpacks one more piece; *u is made for the first one. May only be called after td_perf_unpack_take() has given
 * nothing. -EBADMSG: the piece is damaged or unpacks to more than is allowed, or the program was built without zstd;
 * -ENOMEM. */
int td_perf_unpack_add(struct td_recording *, struct td_perf_unpack **u, struct td_perf_view piece);
/* The next record; its bytes are valid until the next piece is added. -EAGAIN: more pieces are needed; -EBADMSG. */
int td_perf_unpack_take(struct td_recording *, struct td_perf_unpack *, struct td_perf_record *out);
void td_perf_unpack_free(struct td_perf_unpack *);

#endif
