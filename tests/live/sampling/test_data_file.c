/* SPDX-License-Identifier: MIT */
/* A perf.data as it is written, word by word after Linux tools/perf/Documentation/perf.data-file-format.txt. */
#include "live/sampling/data_file.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { ATTR = sizeof(struct perf_event_attr), HEADER = 104, ROOM = 65536 };

/* What was written, and how often the front was. */
static unsigned char file[ROOM];
static size_t end;
static unsigned fronts;
static int refuse_at; /* the at-th write from now fails; 0: none */

static int keep(void *ctx, uint64_t at, const void *bytes, size_t n)
{
    (void)ctx;
    if (refuse_at && !--refuse_at)
        return -EFBIG;
    CU_ASSERT_FATAL(at + n <= ROOM);
    CU_ASSERT(!at || at == end);
    fronts += !at;
    if (n)
        memcpy(file + at, bytes, n);
    end = at + n > end ? at + n : end;
    return 0;
}

static uint64_t word(size_t at)
{
    uint64_t value;

    CU_ASSERT_FATAL(at + 8 <= end);
    memcpy(&value, file + at, 8);
    return value;
}

/* Two kinds: one of a group of two events and a teller, one of a group of one event. Their attr.config are 1 to 4. */
static struct td_sampled_kind kinds[2];

static void begin(struct td_data_file *f, size_t most)
{
    memset(kinds, 0, sizeof(kinds));
    memset(file, 0xee, sizeof(file));
    end = fronts = 0;
    kinds[0].n = 2;
    kinds[0].tells = true;
    kinds[1].n = 1;
    for (size_t i = 0; i < 3; i++)
        kinds[0].event[i].attr.config = i + 1;
    kinds[1].event[0].attr.config = 4;
    strcpy(kinds[0].event[1].name, "second");
    *f = (struct td_data_file){.write = keep};
    CU_ASSERT_EQUAL_FATAL(td_data_begin(f, kinds, 2, most), 0);
    CU_ASSERT_EQUAL(fronts, 1);
    CU_ASSERT_EQUAL(f->at, end);
}

/* Each group has ids of its own: 100 and 101 and, of its teller, 109; 200 ... */
static struct td_sampled group_of(size_t kind, uint64_t hundred)
{
    return (struct td_sampled){
        .kind = &kinds[kind], .n = kinds[kind].n, .id = {hundred, hundred + 1}, .teller_id = hundred + 9};
}

/* The front: the sizes of the file, events at 104, each with its attr and the place of its ids. */
static void front(uint64_t records, uint64_t size, uint64_t features)
{
    CU_ASSERT_EQUAL(memcmp(file, "PERFILE2", 8), 0);
    CU_ASSERT_EQUAL(word(8), HEADER);
    CU_ASSERT_EQUAL(word(16), ATTR + 16);
    CU_ASSERT_EQUAL(word(24), HEADER);
    CU_ASSERT_EQUAL(word(32), 4 * (ATTR + 16));
    CU_ASSERT_EQUAL(word(40), records);
    CU_ASSERT_EQUAL(word(48), size);
    CU_ASSERT_EQUAL(word(56), 0); /* event types: nobody writes them any more */
    CU_ASSERT_EQUAL(word(64), 0);
    CU_ASSERT_EQUAL(word(72), features);
    for (size_t at = 80; at < HEADER; at += 8)
        CU_ASSERT_EQUAL(word(at), 0);
    for (size_t i = 0; i < 4; i++) {
        struct perf_event_attr attr;

        memcpy(&attr, file + HEADER + i * (ATTR + 16), ATTR);
        CU_ASSERT_EQUAL(attr.config, i + 1);
    }
}

/* Where the ids of an event are, and how many bytes they take. */
static void ids(size_t event, uint64_t at, size_t n, const uint64_t *wanted)
{
    const size_t entry = HEADER + event * (ATTR + 16) + ATTR;

    CU_ASSERT_EQUAL(word(entry), at);
    CU_ASSERT_EQUAL(word(entry + 8), n * 8);
    for (size_t i = 0; i < n; i++)
        CU_ASSERT_EQUAL(word(at + i * 8), wanted[i]);
}

static void with_room(void)
{
    const uint64_t ids_at = HEADER + 4 * (ATTR + 16), records = ids_at + 4 * 2 * 8;
    struct td_data_bytes feature[TD_DATA_FEATURES] = {{.at = NULL}};
    struct td_data_file f;
    struct td_sampled g;

    begin(&f, 2);
    CU_ASSERT(f.nevents == 4 && f.event[0].leader == 0 && f.event[0].members == 2);
    CU_ASSERT(f.event[1].leader == 0 && f.event[1].members == 0 && !strcmp(f.event[1].name, "second"));
    CU_ASSERT(f.event[2].leader == 2 && f.event[2].members == 0);
    CU_ASSERT(f.event[3].leader == 3 && f.event[3].members == 1);
    front(records, 0, 0); /* its size is not known yet */
    CU_ASSERT_EQUAL(end, records);
    g = group_of(0, 100);
    CU_ASSERT_EQUAL(td_data_ids(&f, kinds, &g), 0);
    g = group_of(1, 200);
    CU_ASSERT_EQUAL(td_data_ids(&f, kinds, &g), 0);
    g = group_of(1, 300);
    CU_ASSERT_EQUAL(td_data_ids(&f, kinds, &g), 0);
    g = group_of(1, 400);
    CU_ASSERT_EQUAL(td_data_ids(&f, kinds, &g), -ENOSPC);
    CU_ASSERT_EQUAL(td_data_add(&f, "12345678", 8), 0);
    CU_ASSERT_EQUAL(td_data_add(&f, "abcdefgh", 8), 0);
    td_data_put32(&feature[3], 7);
    td_data_put_text(&feature[5], "version");
    td_data_put(&feature[31], "xyz", 3);
    feature[8] = (struct td_data_bytes){.at = feature[5].at, .n = 4, .failed = true}; /* is left out */
    CU_ASSERT_EQUAL(td_data_end(&f, feature), 0);
    CU_ASSERT_EQUAL(fronts, 2);
    front(records, 16, 1u << 3 | 1u << 5 | 1u << 31);
    ids(0, ids_at, 1, (uint64_t[]){100});
    ids(1, ids_at + 16, 1, (uint64_t[]){101});
    ids(2, ids_at + 32, 1, (uint64_t[]){109});
    ids(3, ids_at + 48, 2, (uint64_t[]){200, 300});
    CU_ASSERT_EQUAL(word(ids_at + 8), 0); /* room that is not used */
    CU_ASSERT_EQUAL(memcmp(file + records, "12345678abcdefgh", 16), 0);
    /* the table of features: where they are, and their sizes; a text has its length and whole 64 bytes */
    CU_ASSERT(word(records + 16) == records + 64 && word(records + 24) == 4);
    CU_ASSERT(word(records + 32) == records + 68 && word(records + 40) == 68);
    CU_ASSERT(word(records + 48) == records + 136 && word(records + 56) == 3);
    CU_ASSERT_EQUAL(memcmp(file + records + 64, "\7\0\0\0\100\0\0\0version\0\0", 17), 0);
    CU_ASSERT_EQUAL(memcmp(file + records + 136, "xyz", 3), 0);
    CU_ASSERT_EQUAL(end, records + 139);
    td_data_free(&f);
    CU_ASSERT(!f.event && !f.nevents);
    free(feature[3].at);
    free(feature[5].at);
    free(feature[31].at);
}

/* Before the records there is room for 128 ids of each event; if any has more, all are after the features. */
static void many_ids(void)
{
    static const struct td_data_bytes none[TD_DATA_FEATURES];
    const uint64_t ids_at = HEADER + 4 * (ATTR + 16), records = ids_at + 4 * 128 * 8;

    for (size_t n = 128; n <= 129; n++) {
        uint64_t wanted[129];
        struct td_data_file f;
        struct td_sampled g;

        begin(&f, 1000);
        CU_ASSERT_EQUAL(end, records);
        g = group_of(0, 100);
        CU_ASSERT_EQUAL(td_data_ids(&f, kinds, &g), 0);
        for (size_t i = 0; i < n; i++) {
            g = group_of(1, wanted[i] = 1000 + i);
            CU_ASSERT_EQUAL(td_data_ids(&f, kinds, &g), 0);
        }
        td_data_add(&f, "12345678", 8);
        CU_ASSERT_EQUAL(td_data_end(&f, none), 0);
        front(records, 8, 0);
        if (n == 128) {
            ids(2, ids_at + 2 * 128 * 8, 1, (uint64_t[]){109});
            ids(3, ids_at + 3 * 128 * 8, n, wanted);
            CU_ASSERT_EQUAL(end, records + 8);
        } else {
            ids(0, records + 8, 1, (uint64_t[]){100});
            ids(1, records + 16, 1, (uint64_t[]){101});
            ids(2, records + 24, 1, (uint64_t[]){109});
            ids(3, records + 32, n, wanted);
            CU_ASSERT_EQUAL(word(ids_at), 0);
            CU_ASSERT_EQUAL(end, records + 32 + n * 8);
        }
        td_data_free(&f);
    }
}

/* The first error stays, and nothing is written after it. */
static void refused(void)
{
    static const struct td_data_bytes none[TD_DATA_FEATURES];
    struct td_data_file f;

    begin(&f, 2);
    refuse_at = 2;
    CU_ASSERT_EQUAL(td_data_add(&f, "12345678", 8), 0);
    CU_ASSERT_EQUAL(td_data_add(&f, "12345678", 8), -EFBIG);
    CU_ASSERT_EQUAL(td_data_add(&f, "12345678", 8), -EFBIG);
    CU_ASSERT_EQUAL(td_data_end(&f, none), -EFBIG);
    CU_ASSERT_EQUAL(fronts, 1);
    td_data_free(&f);
    f = (struct td_data_file){.write = keep};
    refuse_at = 1;
    CU_ASSERT_EQUAL(td_data_begin(&f, kinds, 2, 2), -EFBIG);
    td_data_free(&f);
}

/* A text takes whole 64 bytes with its end. */
static void texts(void)
{
    char text[130];

    for (size_t n = 0; n < sizeof(text); n++) {
        struct td_data_bytes b = {.n = 0};
        const uint32_t wanted = n < 64 ? 64 : n < 128 ? 128 : 192;
        uint32_t size;

        memset(text, 'a', n);
        text[n] = '\0';
        td_data_put_text(&b, text);
        CU_ASSERT_FATAL(!b.failed && b.n == 4 + wanted);
        memcpy(&size, b.at, 4);
        CU_ASSERT_EQUAL(size, wanted);
        CU_ASSERT_STRING_EQUAL((const char *)b.at + 4, text);
        for (size_t i = 4 + n; i < b.n; i++)
            CU_ASSERT_EQUAL(b.at[i], 0);
        free(b.at);
    }
}

static const CU_TestInfo tests[] = {
    {"with room for its ids", with_room},
    {"more ids", many_ids},
    {"refused", refused},
    {"texts", texts},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("perf.data: written", tests);
