// SPDX-License-Identifier: MIT
// Top-down in benchmarks of google-benchmark, and a guard for regions of any
// C++ program. C++11.
//
//     static void sorting(benchmark::State &state)
//     {
//         tdexample::TopDown topdown(state);
//         for (auto _ : state) {
//             refill();
//             tdexample::Region part(topdown.handle(), topdown.region());
//             sort();
//         }
//     }
//
// What the guards enclosed is in the counters retiring, bad_speculation,
// frontend_bound and backend_bound of the benchmark, 0 to 1, and NAME_low and
// NAME_high are their bounds. What cannot be measured has no counters, and a label
// with the reason. With several threads the counters are those of the first one.
#ifndef EXAMPLES_TOPDOWN_HPP
#define EXAMPLES_TOPDOWN_HPP

#include <benchmark/benchmark.h>
#include <cmath>
#include <string>
#include <td_regions.h>

#include "machine.h"

namespace tdexample {

// A pass through a region, from here to the end of the block. A pass that cannot
// be measured is counted as discarded; a region below 0 means none.
class Region {
public:
    Region(struct td *td, int region) : td_(td), region_(region)
    {
        if (region_ >= 0)
            td_region_begin(td_, region_);
    }
    ~Region()
    {
        if (region_ >= 0)
            td_region_end(td_, region_);
    }
    Region(const Region &) = delete;
    Region &operator=(const Region &) = delete;

private:
    struct td *td_;
    int region_;
};

// A simulated machine, tdprobe-machine(5), instead of this one; "": none.
inline std::string &machine()
{
    static std::string path;
    return path;
}

class TopDown {
public:
    // Opens counters for this run of the benchmark, before its loop.
    explicit TopDown(benchmark::State &state) : state_(state), td_(nullptr), region_(-1)
    {
        if (state_.thread_index() != 0)
            return;
        td_ = td_new();
        int err = td_ ? open() : -ENOMEM;
        if (err)
            state_.SetLabel(std::string("no top-down: ") + what_failed(td_, err));
    }
    ~TopDown()
    {
        if (region_ >= 0)
            report();
        td_free(td_);
    }
    TopDown(const TopDown &) = delete;
    TopDown &operator=(const TopDown &) = delete;

    struct td *handle() const { return td_; }
    int region() const { return region_; } // -1: nothing is measured

private:
    int open()
    {
        struct td_self_ask ask = td_self_ask();
        ask.size = sizeof(ask);
        ask.target = 0.02; // passes of a loop: zeroed when the bounds get wider
        int err = machine().empty() ? 0 : use_machine(td_, machine().c_str());
        err = err ? err : td_set_level(td_, 1);
        err = err ? err : td_open_self(td_, &ask);
        region_ = err ? -1 : td_region(td_, "benchmark");
        return err ? err : region_ < 0 ? region_ : 0;
    }

    void set(const std::string &name, double value)
    {
        state_.counters[name] = benchmark::Counter(value);
    }

    void report()
    {
        const struct td_result *r = nullptr;
        struct td_region_info info = td_region_info();
        std::string absent;

        info.size = sizeof(info);
        if (td_region_result(td_, 0, &info, &r))
            return state_.SetLabel(std::string("no top-down: ") + td_error(td_));
        for (std::size_t i = 0; i < td_result_metrics(r); i++) {
            const struct td_metric *m = td_result_metric(r, i);

            if (m->level != 1)
                continue;
            if (m->status != TD_OK) {
                absent += std::string(absent.empty() ? "" : ", ") + m->name + " " + td_status_name(m->status);
                continue;
            }
            set(m->name, m->value);
            if (std::isnan(m->low))
                continue;
            set(std::string(m->name) + "_low", m->low);
            set(std::string(m->name) + "_high", m->high);
        }
        label(info, absent);
    }

    void label(const struct td_region_info &info, const std::string &absent)
    {
        std::string text = absent;

        for (int why = 0; why < TD_DISCARDS; why++)
            if (info.discarded[why])
                text += (text.empty() ? "" : ", ") + std::to_string(info.discarded[why]) + " discarded: " + td_discard_name(static_cast<td_discard>(why));
        if (!text.empty())
            state_.SetLabel(text);
    }

    benchmark::State &state_;
    struct td *td_;
    int region_;
};

} // namespace tdexample

#endif
