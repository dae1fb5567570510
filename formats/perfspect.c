/* SPDX-License-Identifier: MIT */
/* What is beside the counts in PerfSpect's raw folder (perfspect metrics --raw):
 * HOST_metadata.json, one object. HOST_events.jsonl, with the counts, is what
 * perf stat -j -I wrote, see perf_json.c.
 *
 * Keys, of Metadata in cmd/metrics/metadata.go (intel/PerfSpect 3.0 and later):
 * Vendor, Microarchitecture ("SPR_XCC", "Graviton4"), ARMCPUID (MIDR_EL1, of later
 * versions on Arm), ThreadsPerCore. It holds neither family and model nor stepping. */
#include "formats/formats.h"

#include "backends/find_identity.h"
#include "formats/perf_stat/perf_json.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* PerfSupportedEvents may be all that perf list prints, about a megabyte. */
enum { METADATA_MAX = 4 * 1024 * 1024, DEPTH = 8 };

enum key { KEY_MIDR, KEY_UARCH, KEY_VENDOR, KEY_THREADS, KEYS };

/* The whole file, piece by piece. */
static int parse(struct td_recording *r, struct json_tokener *t, td_read_fn *read, void *ctx, struct json_object **out)
{
    enum json_tokener_error state = json_tokener_continue;
    size_t all = 0;
    char buf[4096];

    while (state == json_tokener_continue) {
        ssize_t n = read(ctx, buf, sizeof(buf));

        if (n < 0)
            return td_recording_unread(r, (int)n);
        all += (size_t)n;
        if (all > METADATA_MAX)
            return td_recording_bad(r, "larger than %d MiB: this is no metadata of PerfSpect", METADATA_MAX >> 20);
        if (n == 0)
            return td_recording_bad(r, all ? "the metadata ends before its object does" : "the metadata is empty");
        *out = json_tokener_parse_ex(t, buf, (int)n);
        state = json_tokener_get_error(t);
    }
    if (state != json_tokener_success)
        return td_recording_bad(r, "no JSON: %s", json_tokener_error_desc(state));
    if (!json_object_is_type(*out, json_type_object))
        return td_recording_bad(r, "this is no object with metadata of PerfSpect");
    return 0;
}

static bool is_known(const char *name)
{
    struct td_identity m;
    char why[8];

    return *name && td_identity_find(name, &m, why, sizeof(why)) != -EINVAL;
}

/* Chooses the text that names the CPU: the first that is known, even as a CPU without events. */
static bool name_cpu(const char *const *text, char *name, size_t size)
{
    /* Neoverse-V2, SPR_XCC, GNR-D, AmpereOne AC04_1, Altra Family */
    static const struct {
        bool last_word;
        const char *ends;
    } parts[] = {{false, ""}, {false, "-"}, {true, "_"}, {false, " "}};
    const char *uarch = text[KEY_UARCH], *last = strrchr(uarch, ' ');

    snprintf(name, size, "%s", text[KEY_MIDR]);
    for (size_t i = 0; !is_known(name) && i < sizeof(parts) / sizeof(*parts); i++) {
        const char *at = parts[i].last_word && last ? last + 1 : uarch;

        snprintf(name, size, "%.*s", (int)strcspn(at, parts[i].ends), at);
    }
    if (!is_known(name)) /* for AMD that is enough */
        snprintf(name, size, "%s", text[KEY_VENDOR]);
    if (!is_known(name))
        snprintf(name, size, "%s", *uarch ? uarch : text[KEY_MIDR]);
    return *name != '\0';
}

static int take(struct td_recording *r, struct json_object *metadata)
{
    static const char *const keys[KEYS] = {"ARMCPUID", "Microarchitecture", "Vendor", "ThreadsPerCore"};
    const char *text[KEYS] = {"", "", "", ""};
    char name[64];

    json_object_object_foreach(metadata, key, value) for (size_t i = 0; i < KEYS; i++)
    {
        size_t len;

        if (strcmp(key, keys[i]) || !value)
            continue;
        text[i] = td_json_text(&(struct td_json_value){.object = value}, &len);
        if (!text[i] || len != strlen(text[i]) || len >= sizeof(name))
            return td_recording_bad(r, "the value of '%s' is no %s", key, i == KEY_THREADS ? "number" : "name");
    }
    if (!name_cpu(text, name, sizeof(name)))
        return td_recording_bad(r, "this is no metadata of PerfSpect: it names no CPU ('%s')", keys[KEY_UARCH]);
    if (!strcmp(text[KEY_THREADS], "1"))
        td_recording_smt(r, TD_SMT_OFF);
    else if (!strcmp(text[KEY_THREADS], "2"))
        td_recording_smt(r, TD_SMT_ON);
    return td_recording_cpu(r, name);
}

int td_perfspect_metadata(struct td_recording *r, td_read_fn *read, void *ctx)
{
    struct json_tokener *t = json_tokener_new_ex(DEPTH);
    struct json_object *metadata = NULL;
    int err;

    if (!t)
        return td_log_no_memory(r->log);
    err = parse(r, t, read, ctx, &metadata);
    if (!err)
        err = take(r, metadata);
    json_object_put(metadata);
    json_tokener_free(t);
    return err;
}
