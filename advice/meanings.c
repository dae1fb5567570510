/* SPDX-License-Identifier: MIT */
/* What each node of levels 1 and 2 means, for people. A node whose meaning differs on a
 * family of CPUs has a row for that backend before the one for all. */
#include "advice/meanings.h"

const struct td_advice td_advice_meanings[] = {
    {
        .node = "retiring",
        .brief = "slots did useful work; speed comes from doing less of it",
        .meaning = "The share of pipeline slots whose operations completed and counted. High is good: the core is rarely kept waiting. "
                   "It does not say that the work was necessary.",
        .cause = {"tight code that runs from registers and the first-level cache", "scalar code where vectors would do",
                  "instructions that decode to many operations (see heavy_operations)"},
        .remedy = {"a better algorithm: fewer instructions for the same result",
                   "let the compiler vectorize: -O3, -march=native, restrict, and its report of what it could not",
                   "compare instructions per unit of work between versions, not IPC"},
    }, {
        .node = "bad_speculation",
        .brief = "work was thrown away after a wrong guess",
        .meaning = "The share of slots spent on operations that never completed, and on recovering from them: mispredicted branches, "
                   "and pipeline flushes for other reasons.",
        .cause = {"branches that depend on data without a pattern", "indirect calls with many targets: virtual functions, interpreters",
                  "threads that write to the same cache line, or code that modifies itself"},
        .remedy = {"level 2 tells mispredicted branches from other flushes", "make hot branches predictable, or replace them by arithmetic (conditional moves, tables)",
                   "feed the compiler a profile: -fprofile-use"},
    }, {
        .node = "frontend_bound",
        .brief = "instructions arrived too late",
        .meaning = "The share of slots that stayed empty because the part that fetches and decodes instructions delivered too few, "
                   "while the rest of the core could have taken more.",
        .cause = {"code larger than the instruction cache, or spread over many pages", "many taken branches and calls, as in interpreters, databases and request handlers",
                  "code that just started: a JIT, or short processes"},
        .remedy = {"make hot code smaller and put it together: -fprofile-use, BOLT, Propeller, -ffunction-sections with an ordering",
                   "map code by huge pages", "link statically, or by LTO, what is called across libraries"},
    }, {
        .node = "backend_bound",
        .backend = "arm-neoverse",
        .brief = "execution or data could not keep up",
        .meaning = "The share of slots that stayed empty because the core could accept no more operations. On Neoverse it holds memory stalls and "
                   "busy execution units alike; STALL_BACKEND_MEM, where the CPU has it, and the cache's refills tell which.",
        .cause = {"loads that miss the caches, or the TLB", "long chains of instructions that depend on each other", "divisions, square roots, and other slow operations"},
        .remedy = {"count l1d_cache_refill, l2d_cache_refill, ll_cache_miss_rd and dtlb_walk per 1000 instructions",
                   "with SPE: perf record -e arm_spe// shows which loads were slow and where they were served"},
    }, {
        .node = "backend_bound",
        .brief = "execution or data could not keep up",
        .meaning = "The share of slots that stayed empty because the core could accept no more operations: those in flight waited for data "
                   "(memory_bound) or for execution units (core_bound).",
        .cause = {"loads that miss the caches", "long chains of instructions that depend on each other", "divisions, square roots, and other slow operations"},
        .remedy = {"level 2, where the CPU has it, tells memory from execution", "look at the instructions just before those that are sampled: they are what was waited for"},
    }, {
        .node = "smt_contention",
        .brief = "the other thread of the core had the slots",
        .meaning = "The share of slots that this thread could not use because the core gave them to its sibling thread.",
        .cause = {"both threads of a core are busy"},
        .remedy = {"nothing, if the throughput of both is what counts", "for the speed of one thread: leave its sibling idle (taskset, cpuset, core scheduling)"},
    }, {
        .node = "heavy_operations",
        .brief = "instructions that need several operations each",
        .meaning = "The part of retiring that belongs to instructions which decode to more than one operation, or are run by microcode.",
        .cause = {"string instructions, divisions by integers, gathers and scatters", "locked instructions, system instructions",
                  "floating-point assists: denormal numbers", "instructions that combine a load, an operation and a store"},
        .remedy = {"compile for the CPU that runs it: -march=", "flush denormal numbers to zero where their values do not matter",
                   "replace gathers by contiguous loads, and integer division by multiplication"},
    }, {
        .node = "light_operations",
        .brief = "plain instructions; fewer of them is the only gain",
        .meaning = "The part of retiring that belongs to instructions of one operation each.",
        .cause = {"ordinary well-running code"},
        .remedy = {"do less: a better algorithm, results kept instead of computed again", "vectorize: one instruction for several elements",
                   "unroll or inline where bookkeeping is a large part of the loop"},
    }, {
        .node = "base",
        .brief = "plain instructions; fewer of them is the only gain",
        .meaning = "The part of retiring that does not come from microcode.",
        .cause = {"ordinary well-running code"},
        .remedy = {"do less: a better algorithm, results kept instead of computed again", "vectorize: one instruction for several elements"},
    }, {
        .node = "ms_uops",
        .brief = "operations came from microcode",
        .meaning = "The part of retiring whose operations the microcode sequencer supplied, for instructions too complex for the decoders.",
        .cause = {"divisions, string instructions, far calls", "gathers, and instructions of 256 bits on small cores", "floating-point assists"},
        .remedy = {"compile for the CPU that runs it: -march=", "flush denormal numbers to zero where their values do not matter"},
    }, {
        .node = "branch_mispredicts",
        .brief = "branches were guessed wrong",
        .meaning = "The part of bad_speculation that mispredicted branches cost: operations fetched from the wrong path, and the time until "
                   "the right one arrived.",
        .cause = {"conditions on random data: comparisons in sorting and searching, parsers", "indirect jumps with many targets: virtual calls, switch in an interpreter",
                  "more hot branches than the predictor remembers"},
        .remedy = {"sort or group the data, so that the branch goes one way for long", "compute without a branch: conditional moves, min and max, masks, tables",
                   "call a likely target directly: -fprofile-use makes such calls", "split one indirect jump into one per place (threaded interpreters)"},
    }, {
        .node = "machine_clears",
        .brief = "the pipeline was flushed, though not by a branch",
        .meaning = "The part of bad_speculation that other flushes cost: the core must throw away what it did and begin again.",
        .cause = {"memory ordering: another thread wrote to a line that was read ahead", "loads guessed to be independent of an earlier store, but were not",
                  "code that is written and run: JITs, self-modifying code", "page faults and floating-point assists"},
        .remedy = {"keep data of different threads in different cache lines: perf c2c finds those that are shared", "do not write near code that runs",
                   "flush denormal numbers to zero where their values do not matter"},
    }, {
        .node = "fetch_latency",
        .brief = "no instructions arrived for whole cycles",
        .meaning = "The part of frontend_bound in which nothing at all was delivered: the frontend waited for a cache line, a translation, or a new address.",
        .cause = {"instruction cache and instruction TLB misses: large or scattered code", "restarts after mispredicted branches",
                  "branches that the predictor did not know yet", "changes between the cache of decoded operations and the decoders"},
        .remedy = {"put hot code together and cold code apart: -fprofile-use, BOLT, Propeller", "map code by huge pages",
                   "first lower branch_mispredicts, if it is high: each restarts the frontend"},
    }, {
        .node = "fetch_bandwidth",
        .brief = "instructions arrived, but too few at a time",
        .meaning = "The part of frontend_bound in which some slots of a cycle were filled, and not all.",
        .cause = {"code run by the decoders, and not from the cache of decoded operations", "many taken branches: each ends a fetch",
                  "long instructions, prefixes, microcode"},
        .remedy = {"make the hot loop small enough for the cache of decoded operations, and align it: -falign-loops=32", "less unrolling, less inlining in cold places",
                   "lay out code such that likely paths fall through: -fprofile-use"},
    }, {
        .node = "memory_bound",
        .brief = "loads and stores waited for caches or memory",
        .meaning = "The part of backend_bound in which the core waited for data: from a cache, from memory, or for room to store.",
        .cause = {"a working set larger than a cache", "pointers that are followed one by one: lists, trees, hash chains", "many pages: TLB misses",
                  "lines that several threads write", "more bandwidth asked for than the memory has"},
        .remedy = {"use all of a cache line: arrays of what is used together, smaller types", "work in blocks that fit a cache",
                   "huge pages for large data", "prefetch, or work on several independent items at once", "memory of the own node: numactl --localalloc"},
    }, {
        .node = "core_bound",
        .backend = "intel-atom",
        .brief = "operations could not be allocated; queues were not full",
        .meaning = "On Atoms and E-cores: the part of backend_bound that comes from restrictions of allocation, and not from full queues. It is no "
                   "counterpart of core_bound of big cores.",
        .cause = {"combinations of operations that cannot be allocated in one cycle"},
        .remedy = {"look at resource_bound first, which holds memory and execution", "sample, and look at the instructions there"},
    }, {
        .node = "core_bound",
        .brief = "execution units or dependencies were the limit, not memory",
        .meaning = "The part of backend_bound that is not memory: operations waited for each other, or for a unit that was busy.",
        .cause = {"long chains of dependent instructions", "division and square root, which are not pipelined", "one kind of unit used by most instructions: shuffles, multiplications",
                  "instructions that wait for all before them: fences, pause"},
        .remedy = {"break chains: several accumulators in a sum, -ffast-math where it is allowed", "multiply by a reciprocal that is computed once",
                   "vectorize: one instruction occupies its unit once for several elements"},
    }, {
        .node = "resource_bound",
        .brief = "queues of the core were full, for memory or execution",
        .meaning = "On Atoms and E-cores: the part of backend_bound in which a queue, the reorder buffer or the registers were full. It holds what "
                   "waited for memory, and what waited for execution.",
        .cause = {"loads that miss the caches: memory operations fill the queues", "divisions and long chains of dependent instructions",
                  "serializing instructions"},
        .remedy = {"use all of a cache line, and work in blocks that fit the second-level cache", "break chains of dependent instructions", "huge pages for large data"},
    },
    {0},
};

const struct td_advice_name td_advice_names[] = {
    /* AMD Zen 4 */
    {"frontend_bound_latency", "fetch_latency"}, {"frontend_bound_bandwidth", "fetch_bandwidth"},
    {"bad_speculation_mispredicts", "branch_mispredicts"}, {"bad_speculation_pipeline_restarts", "machine_clears"},
    {"backend_bound_memory", "memory_bound"}, {"backend_bound_cpu", "core_bound"},
    {"retiring_fastpath", "light_operations"}, {"retiring_microcode", "heavy_operations"},
    /* AMD Zen 5 and 6 */
    {"frontend_bound_by_latency", "fetch_latency"}, {"frontend_bound_by_bandwidth", "fetch_bandwidth"},
    {"bad_speculation_from_mispredicts", "branch_mispredicts"}, {"bad_speculation_from_pipeline_restarts", "machine_clears"},
    {"backend_bound_by_memory", "memory_bound"}, {"backend_bound_by_cpu", "core_bound"},
    {"retiring_from_fastpath", "light_operations"}, {"retiring_from_microcode", "heavy_operations"},
    /* toplev's name on Tremont */
    {"backend_bound_aux", "backend_bound"},
    {0},
};
