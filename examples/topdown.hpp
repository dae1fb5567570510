// SPDX-License-Identifier: MIT
// Top-down in benchmarks of google-benchmark. C++17.
//
//     static void sorting(benchmark::State &state)
//     {
//         tdexample::TopDown topdown(state);
//         for (auto _ : state) {
//             refill();
//             tdprobe::region part(topdown.handle(), topdown.region());
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
#include <td.hpp>

#include "machine.h"

namespace tdexample {

// A simulated machine, tdprobe-machine(5), instead of this one; "": none.
inline std::string &machine()
{
    static std::string path;
    return path;
}

class TopDown {
public:
    // Opens counters for this run of the benchmark, before its loop.
    explicit TopDown(benchmark::State &state) : state_(state)
    {
        if (state_.thread_index() != 0)
            return;
        if (int err = open())
            state_.SetLabel(std::string("no top-down: ") + what_failed(own_.get(), err));
    }
    ~TopDown()
    {
        if (region_ >= 0)
            report();
    }
    TopDown(const TopDown &) = delete;
    TopDown &operator=(const TopDown &) = delete;

    const tdprobe::regions &handle() const { return own_; }
    int region() const { return region_; } // -1: nothing is measured

private:
    int open()
    {
        struct td_self_ask ask = td_self_ask();
        ask.target = 0.02; // passes of a loop: zeroed when the bounds get wider
        int err = machine().empty() ? 0 : use_machine(own_.get(), machine().c_str());
        err = err ? err : own_.set_level(1);
        err = err ? err : own_.open(ask);
        region_ = err ? -1 : own_.name("benchmark");
        return err ? err : region_ < 0 ? region_ : 0;
    }

    void set(const std::string &name, double value)
    {
        state_.counters[name] = benchmark::Counter(value);
    }

    void report()
    {
        if (own_.each([this](const td_region_info &info, const td_result *r) { report(info, r); }))
            state_.SetLabel(std::string("no top-down: ") + own_.error());
    }

    void report(const td_region_info &info, const td_result *r)
    {
        std::string absent;

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
    tdprobe::regions own_;
    int region_ = -1;
};

} // namespace tdexample

#endif
