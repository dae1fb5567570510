// SPDX-License-Identifier: MIT
// Benchmarks with top-down in addition to their times.
//
//     benchmark [--benchmark_...] [MACHINE]
//
// MACHINE: a simulated machine, tdprobe-machine(5), where there is no PMU.
#include "topdown.hpp"

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <numeric>
#include <random>
#include <vector>

namespace
{

std::vector<std::uint32_t> shuffled(std::size_t n)
{
    std::vector<std::uint32_t> v(n);

    std::iota(v.begin(), v.end(), 0u);
    std::shuffle(v.begin(), v.end(), std::mt19937(1));
    return v;
}

// The whole loop is one pass.
void sum(benchmark::State &state)
{
    const std::vector<std::uint32_t> v = shuffled(static_cast<std::size_t>(state.range(0)));
    tdexample::TopDown topdown(state);
    tdprobe::region whole(topdown.handle(), topdown.region());

    for (auto _ : state)
        benchmark::DoNotOptimize(std::accumulate(v.begin(), v.end(), 0u));
}
BENCHMARK(sum)->Arg(1 << 16);

// Only the sorting is measured, not what precedes it in each iteration.
void sort(benchmark::State &state)
{
    const std::vector<std::uint32_t> v = shuffled(static_cast<std::size_t>(state.range(0)));
    tdexample::TopDown topdown(state);

    for (auto _ : state) {
        std::vector<std::uint32_t> copy(v);
        tdprobe::region sorting(topdown.handle(), topdown.region());

        std::sort(copy.begin(), copy.end());
        benchmark::ClobberMemory();
    }
}
BENCHMARK(sort)->Arg(1 << 12);

} // namespace

int main(int argc, char **argv)
{
    benchmark::Initialize(&argc, argv);
    if (argc > 2) {
        std::cerr << "usage: benchmark [--benchmark_...] [MACHINE]\n";
        return 64;
    }
    if (argc > 1) {
        tdexample::machine() = argv[1];
        std::cerr << argv[1] << " is simulated: these are the shares of its own workload, whatever this program does\n";
    }
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
