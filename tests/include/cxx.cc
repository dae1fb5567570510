// SPDX-License-Identifier: MIT
// td.hpp, by tests/scripts/cxx.sh: cxx RECORDING MACHINE prints what it finds.
#include <td.hpp>

#include <cstdio>
#include <type_traits>
#include <utility>

static_assert(!std::is_copy_constructible_v<tdprobe::handle> && std::is_nothrow_move_constructible_v<tdprobe::handle>);
static_assert(!std::is_move_constructible_v<tdprobe::region>);

static ssize_t read_file(void *ctx, void *buf, size_t size)
{
    return static_cast<ssize_t>(std::fread(buf, 1, size, static_cast<std::FILE *>(ctx)));
}

static void replayed(const char *path)
{
    tdprobe::recording first, missing;

    if (first.set_level(1) || first.open(path))
        std::printf("not opened: %s\n", first.error());
    tdprobe::recording file = std::move(first);
    int n = 0;
    for (const td_result *result : file) {
        n++;
        if (const auto v = tdprobe::share(result, "retiring"))
            std::printf("%s retiring %.6f\n", td_result_core(result), *v);
        if (tdprobe::find(result, "memory_bound"))
            std::printf("level 2\n");
    }
    std::printf("%d intervals, status %d\n", n, file.status());
    n = 0;
    const int err = file.each_summary([&n](const td_result *result) { n += td_result_is_summary(result); });
    std::printf("%d sums, %d, then %d\n", n, err, file.next() != nullptr);
    std::printf("moved from: %d %d %d %d\n", static_cast<bool>(first), first.open(path) == -EINVAL,
                first.set_level(1) == -EINVAL, first.next() != nullptr);
    std::printf("missing: %d %s\n", missing.open("/missing.csv") == -ENOENT, missing.error());
    for (const td_result *result : missing)
        std::printf("%p\n", static_cast<const void *>(result));
    std::printf("status %d\n", missing.status() == -ENOENT);
}

static void measured(const char *machine)
{
    tdprobe::regions own, closed;
    std::FILE *f = std::fopen(machine, "r");
    int err = f ? td_set_machine(own.get(), machine, read_file, f) : -ENOENT;

    if (f)
        std::fclose(f);
    err = err ? err : own.open();
    std::printf("open: %d %s\n", err, own.error());
    const int outer = own.name("outer"), inner = own.name("inner");
    {
        tdprobe::region whole(own, outer);
        for (int i = 0; i < 3; i++)
            tdprobe::region part(own, inner);
        tdprobe::region none(own, -1), nowhere(closed, 0);
    }
    std::printf("no error: '%s'\n", own.error());
    err = own.each([](const td_region_info &info, const td_result *result) {
        std::printf("%s %d passes, backend_bound %.2f\n", info.name, static_cast<int>(info.passes),
                    tdprobe::share(result, "backend_bound").value_or(-1));
    });
    std::printf("%d\n", err);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 64;
    replayed(argv[1]);
    measured(argv[2]);
}
