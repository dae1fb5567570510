#!/bin/sh
# SPDX-License-Identifier: MIT
# tdprobe record --functions -a, then report: on each simulated machine the three functions of a program have the shares of level 1 that the
# program was made with, within 2 points and within their bounds.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
machines=$TD_SRCDIR/sim/machines

# The program: what three of the machine's kernels do (tests/import/kernels), in turns, each as a function of its own. It runs on CPU 0, and
# in threads on the other CPUs of the list: its sibling, and one of the other kind of cores.
program() { # MACHINE CPU...
    awk '
        BEGIN {
            split("adds branches icache", kernel, " ")
            ms["adds"] = 37; ms["branches"] = 53; ms["icache"] = 29
            at["adds"] = "0x401000"; at["branches"] = "0x402000"; at["icache"] = "0x403000"
        }
        /^workload/ { name = $2; pmu = ++n[name]; sub(/^workload [^ ]* /, ""); settings[pmu] = $0; next }
        !name && !/^#./ || NR == 1 { print; next }
        /^phase/ { sub(/ms=10/, "ms=" ms[name] " function=" at[name]) }
        /^(phase|count)/ { does[name, pmu] = does[name, pmu] $0 "\n" }
        END {
            for (pmu = 1; pmu <= n["adds"]; pmu++) {
                print "workload three", settings[pmu], "file=/sim/three at=0x400000 size=0x10000"
                for (i = 1; i <= 3; i++) printf "%s", does[kernel[i], pmu]
            }
        }' "$machines/$1.machine"
    echo 'command three ms=240 cpus=0 name=three'
    shift
    for cpu; do echo "start three at=0 ms=240 cpus=$cpu thread"; done
}

# The kernels' shares of the slots, in percent, as tests/import/kernels has them in parts of 1: retiring, bad speculation, frontend and backend.
cat > truth << 'END'
[three+0x1000] 87.5 0 6.25 6.25
[three+0x2000] 12.5 50 31.25 6.25
[three+0x3000] 25 0 75 0
END
judge() { # MACHINE CORES, how many kinds of cores there are
    awk -v machine="$1" -v cores="$2" -v bounded="$bounded" '
        function value_of(object, key) { # a number after "key":, NaN where there is none
            return match(object, "\"" key "\":-?[0-9][0-9.e-]*") ? 100 * substr(object, RSTART + length(key) + 3, RLENGTH - length(key) - 3) : "none"
        }
        BEGIN { split("retiring bad_speculation frontend_bound backend_bound", name, " ") }
        FNR == NR { for (i = 1; i <= 4; i++) truth[$1, i] = $(i + 1); known[$1]; next }
        {
            place = substr($0, index($0, "\"scope\":\"") + 9); sub(/".*/, "", place)
            if (!(place in known)) next
            seen[place]++
            for (i = 1; i <= 4; i++) {
                object = match($0, "\"" name[i] "\":[{][^}]*[}]") ? substr($0, RSTART + length(name[i]) + 3, RLENGTH - length(name[i]) - 3) : ""
                value = value_of(object, "value"); low = value_of(object, "low"); high = value_of(object, "high"); t = truth[place, i]
                if (value == "none" || value - t > 2 || t - value > 2) print machine ", " place ": " name[i] " is " value ", not " t
                else if (bounded && (low == "none" || low > t || t > high)) print machine ", " place ": " name[i] ", " t ", is not in " low " .. " high
            }
        }
        END { for (place in known) if (seen[place] != cores) print machine ", " place ": " seen[place] + 0 " objects" }' truth out > wrong
    [ ! -s wrong ] || fail "$what: $(cat wrong)"
}

bounded=1
while read -r machine cores cpus; do
    # shellcheck disable=SC2086
    program $machine $cpus > three.machine
    t record --functions -a --machine three.machine --fast -o three.data -- three; exits 0
    t report --by address --format json three.data; exits 0
    ! grep -q 'without GSL' err || bounded=0
    judge "$machine" "$cores"
done << 'END'
alderlake 2 4 8
cascadelake 1 8
elkhartlake 1
genoa 1 4
graniterapids 1 4
graviton4 1
icelake 1 4
knightslanding 1
lunarlake 2 4
n2-r0p3 1
sapphirerapids 1 8
sierraforest 1
skylake 1 4
skylake-nosmt 1
turin 1
yitian710 1
END
[ ! -e failed ]
