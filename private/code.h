/* SPDX-License-Identifier: MIT */
/* The code of one function of a recording of samples: its instructions, the lines of source that they come from, and
 * the text of both. td_set_samples_code() tells the function's samples apart by these; td_code_open() has the text. */
#ifndef PRIVATE_CODE_H
#define PRIVATE_CODE_H

#include "include/td_samples.h"
#include "private/exported.h"

/* Before td_open(), by function and without call chains: samples in that function, as scopes are named, are told apart
 * by line of source and by instruction, too. Each gives three intervals: of the instruction, td_result_depth() 0, of
 * the line, and of the function, which td_result_scope_kind() calls "instruction", "line" and "function". dso: only in
 * that program or library, a path or the last part of one; NULL: in any. Copies are made; function NULL, the default:
 * no function. Needs what td_set_symbols() needs. No effect with td_set_samples_inlined(), and where samples are told
 * apart in another way. -EINVAL: the handle has been opened; -ENOMEM. */
TD_PRIVATE int td_set_samples_code(struct td *, const char *function, const char *dso);

/* Where a line or an instruction is. */
struct td_code_at {
    const char *function; /* the scope of its function: an equal pointer */
    const char *file; /* of source, NULL: not known; equal files are equal pointers, until td_free() */
    unsigned line; /* 1 and above; 0: not known */
    /* of an instruction in the file, or in the jitdump, which may have the function several times; in the kernel, and
     * where code is in neither, its address; of a line 0 */
    uint64_t offset;
};
/* Of a line or instruction of td_set_samples_code(), until td_free(); NULL: the result is none. */
TD_PRIVATE const struct td_code_at *td_result_code(const struct td_result *);

/* Why there is no text of instructions. */
enum td_code_status {
    TD_CODE_OK, /* there is */
    TD_CODE_KERNEL, /* the function is the kernel's, which is in no file */
    TD_CODE_NO_FILE, /* the program's file can be read no more, or does not hold all of the function */
    TD_CODE_TOO_LARGE, /* the function has more than TD_CODE_MOST bytes */
    TD_CODE_OTHER_CPU, /* it is of neither x86 nor arm64 */
    TD_CODE_NOT_BUILT, /* the library was built without capstone */
    TD_CODE_NO_LIBRARY, /* capstone is not installed here */
    TD_CODE_NOT_KEPT, /* the program made it while it ran, and no jitdump has it */
};
/* "no_file", ...; NULL after the last. Static storage. */
TD_PRIVATE const char *td_code_status_name(enum td_code_status);

/* What is known of a file of source. */
enum td_source_status {
    TD_SOURCE_FOUND, /* it is at the path that the debug information has, and no newer than the program */
    TD_SOURCE_NEWER, /* the same, but it was written after the program: its lines may be others by now */
    TD_SOURCE_CHANGED, /* it is another than the program was built from: it has fewer lines. There is no text. */
    TD_SOURCE_NO_FILE, /* there is no such file; these and the following have no text either */
    TD_SOURCE_DENIED, /* it may not be read */
    TD_SOURCE_NOT_TEXT, /* it is no text, or longer than TD_CODE_MOST bytes */
};
/* "no_file", ...; NULL after the last. Static storage. */
TD_PRIVATE const char *td_source_status_name(enum td_source_status);

enum { TD_CODE_MOST = 16 << 20 };

struct td_code_instruction {
    uint64_t offset, address; /* offset: as in td_code_at; address: as the file is linked, which objdump shows */
    const char *text; /* "mov %rsp,%rbp": AT&T's syntax for x86, as objdump and perf annotate have it */
    const char *file; /* as in td_code_at, with line */
    unsigned line;
};
struct td_code_source {
    const char *file; /* as in td_code_at */
    enum td_source_status status;
    /* of each line from line 1 on, safe to print, with blanks for tabs; cut where it is very long */
    const char *const *text;
    size_t lines;
};
/* The members belong to it, but for names of files. */
struct td_code {
    const char *dso; /* as td_result_dso(); until td_free() */
    /* offset and address: of its beginning, as of an instruction; size 0: not known. Of what was made several times:
     * the first of them. */
    uint64_t offset, size, address;
    bool made; /* the program made it while it ran: no file has lines of it */
    enum td_code_status status;
    struct td_code_instruction *instruction; /* all of them, by offset */
    size_t instructions;
    struct td_code_source *source; /* the files that the instructions come from */
    size_t sources;
};
/* The code of a function: the pointer that td_result_scope() or td_code_at has for it. The handle has to be open. The
 * files are looked for as td_set_symbols() says; those of source below that root, and else at their own path. -ENOENT:
 * it is no scope of a function with a name; -ENOMEM; td_error() has the reason. */
TD_PRIVATE int td_code_open(struct td *, const char *function, struct td_code **out);
TD_PRIVATE void td_code_free(struct td_code *);

#endif
