/* SPDX-License-Identifier: MIT */
/* A lint of counts: which relations that no program breaks are broken in one interval of one scope, and so
 * which counts are wrong. Whoever solves counts runs it: live, replayed, of regions, of samples, and the doctor's. */
#ifndef TD_LINT_H
#define TD_LINT_H

#include "core/counts/layout.h"
#include "core/bounds/relation.h"
#include "core/bounds/measured.h"
#include "util/text_buffer.h"

struct td_lint_ask {
    bool smt_off; /* known: no sibling thread was active */
    bool scale_assumed; /* raw counts were scaled as if without SMT, which is not known */
    bool switched; /* of a task, with the metrics register */
    bool coverage_unknown;
    double cpus; /* on how many CPUs they were counted, at most; 0: not known */
    /* it is not known how often counting began and ended in the interval: of regions and samples */
    bool pieces_unknown;
    const struct td_taken *taken; /* to judge what was counted at different times; NULL: it is not judged */
};

/* A relation whose events were all counted, once for each group that has them. */
struct td_lint_case {
    uint32_t code; /* in td_lint.code */
    uint32_t copies; /* of its terms, where they begin in td_lint.copy */
};

/* How a copy is wrong. */
enum td_lint_doubt {
    TD_LINT_NONE,
    TD_LINT_LIKELY, /* a relation is broken between counts of different times, by more than turns of the rotation
                     * explain; or another copy of the event counted something else at the same time, and either may be
                     * wrong */
    TD_LINT_ZERO, /* it counted 0, as another event did that cannot: whatever hid that one may hide this one */
    TD_LINT_BROKEN,
};

/* A broken relation, or two copies of one event that contradict each other. */
struct td_lint_broken {
    const struct td_relation_code *code; /* NULL: two copies */
    const uint32_t *copy; /* in the counts, of each term of the code; or the two, the larger one first */
    double left, right;
    bool sure; /* a relation between what was counted at the same time, all the time; else it is likely */
};

/* Zeroed to begin with; td_lint_free(). */
struct td_lint {
    const struct td_uarch *uarch; /* NULL: the relations have not been read */
    struct td_relation_code *code;
    struct td_lint_case *cases;
    uint32_t *copy;
    size_t ncodes, codes_room, ncases, cases_room, ncopies, copies_room;
    uint32_t (*twin)[2]; /* copies of one event in the same modes: the first, and each other one */
    size_t ntwins, twins_room;
    uint32_t *found; /* 1 + copy, by group and term, while cases are made */
    size_t found_room;
    /* of the last interval: */
    struct td_lint_broken *broken;
    size_t nbroken, broken_room;
    bool shared; /* some of the slots went to a sibling, although none is known of: in a guest, the host knows them */
    int width; /* the slots per cycle that show another CPU; 0: they do not */
    unsigned char *doubt; /* enum td_lint_doubt, by copy; only if any is broken */
    const char **why; /* of each copy that is doubted */
    size_t doubts_room, whys_room;
    const char **texts; /* of each that is broken */
    size_t texts_room;
    struct td_text_buffer text;
};

/* Finds the cases of a layout of the row's counts. -ENOMEM; -EINVAL: the row's table is faulty. */
int td_lint_arrange(struct td_lint *, const struct td_uarch *, const struct td_layout *);
/* Finds what is broken in counts of that layout. -ENOMEM. */
int td_lint_run(struct td_lint *, const struct td_counts *, const struct td_lint_ask *);
void td_lint_free(struct td_lint *);

static inline enum td_lint_doubt td_lint_doubt(const struct td_lint *l, size_t copy)
{
    return l->nbroken ? (enum td_lint_doubt)l->doubt[copy] : TD_LINT_NONE;
}

#endif
