# SPDX-License-Identifier: MIT
# What must be found on the machines of sim/machines: their descriptions derive it by hand from the vendors' formulas.
# MACHINE CORE RET BAD FE BE in percent; the register's 8 bits leave an uncertainty of 1/255
shares() {
    cat << END
skylake - 25 12.5 12.5 50
skylake-nosmt - 25 12.5 12.5 50
cascadelake - 37.5 6.25 25 31.25
icelake - 25 12.5 12.5 50
sapphirerapids - 25 12.5 12.5 50
graniterapids - 50 6.25 6.25 37.5
alderlake P 25 12.5 12.5 50
alderlake E 37.5 6.25 31.25 25
lunarlake P 50 6.25 18.75 25
lunarlake E 37.5 6.25 31.25 25
elkhartlake - 31.25 6.25 37.5 25
sierraforest - 37.5 6.25 31.25 25
knightslanding - 25 6.25 18.75 50
yitian710 - 25 12.5 18.75 43.75
n2-r0p3 - 25 12.5 18.75 43.75
graviton4 - 50 12.5 12.5 25
genoa - 25 12.5 12.5 37.5
turin - 37.5 6.25 31.25 25
END
}
