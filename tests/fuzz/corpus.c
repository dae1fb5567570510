/* SPDX-License-Identifier: MIT */
/* Replays the corpus without libFuzzer: every file of tests/fuzz/seeds and every
 * recording of traces. What fuzzing starts with and found is read in each way, as it may need just one of them; a
 * recording, which is larger, in every ninth, from another one on for each file. TD_LONG (make check-long): all ways of
 * all files; TD_QUICK: every ninth of all. Needs TD_SRCDIR. */
#include "tests/fuzz/fuzz.h"

#include <dirent.h>
#include <errno.h>

enum { PATH = 4096, FILE_MAX = 1 << 20, STEP = 9 };

static unsigned long files, inputs, taken;

static void fail(const char *path, const char *what)
{
    fprintf(stderr, "corpus: %s: %s\n", path, what);
    exit(1);
}

static void replay_file(const char *importer, const char *path)
{
    static uint8_t bytes[FILE_MAX];
    const unsigned step = getenv("TD_QUICK") || (!importer && !getenv("TD_LONG")) ? STEP : 1;
    FILE *f = fopen(path, "rb");
    size_t n = f ? fread(bytes, 1, sizeof(bytes), f) : 0;
    uint8_t *exact = malloc(n + !n); /* so that a read beyond its end is noticed */

    if (!f || ferror(f) || n == sizeof(bytes) || !exact)
        fail(path, f ? "too long" : strerror(errno));
    fclose(f);
    memcpy(exact, bytes, n);
    fprintf(stderr, "%s\n", path); /* the last path in the log is the one that failed */
    for (unsigned options = (unsigned)(files % step); options < FUZZ_OPTIONS; options += step, inputs++)
        taken += !fuzz_recording(importer, exact, n, options);
    free(exact);
    files++;
}

static bool is_recording(const char *name)
{
    static const char *const ends[] = {".csv", ".data", ".json", ".jsonl", ".trace", ".txt"};
    const char *end = strrchr(name, '.');

    for (size_t i = 0; end && i < sizeof(ends) / sizeof(*ends); i++)
        if (!strcmp(end, ends[i]))
            return true;
    return false;
}

static void replay_folder(const char *importer, const char *path)
{
    unsigned long before = taken;
    const struct dirent *entry;
    DIR *dir = opendir(path);

    if (!dir)
        fail(path, strerror(errno));
    while ((entry = readdir(dir))) {
        char file[PATH];

        snprintf(file, sizeof(file), "%s/%s", path, entry->d_name);
        if (*entry->d_name != '.' && (importer || is_recording(entry->d_name)))
            replay_file(importer, file);
    }
    closedir(dir);
    if (taken == before)
        fail(path, "none of its files is read by the reader that it is named after");
}

int main(void)
{
    char path[PATH], folder[2 * PATH];
    const char *srcdir = getenv("TD_SRCDIR");
    const struct dirent *entry;
    DIR *dir;

    snprintf(path, sizeof(path), "%s/tests/fuzz/seeds", srcdir ? srcdir : ".");
    dir = opendir(path);
    if (!dir)
        fail(path, strerror(errno));
    while ((entry = readdir(dir))) {
        snprintf(folder, sizeof(folder), "%s/%s", path, entry->d_name);
        if (*entry->d_name != '.' && strcmp(entry->d_name, "README"))
            replay_folder(entry->d_name, folder);
    }
    closedir(dir);
    snprintf(path, sizeof(path), "%s/traces", srcdir ? srcdir : ".");
    replay_folder(NULL, path);
    printf("%lu files, %lu inputs\n", files, inputs);
    return 0;
}
