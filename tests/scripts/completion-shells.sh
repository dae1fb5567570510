#!/bin/sh
# SPDX-License-Identifier: MIT
# Completion in the shells themselves, each in a terminal of its own: what is typed, and the words that it has become.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
command -v python3 > /dev/null || { echo "there is no python3, which has terminals"; exit 77; }
python3 -c 'import pty; pty.openpty()' 2> /dev/null || { echo "there are no terminals here"; exit 77; }
ran=
setup_of() {
    case $1 in
        bash) echo ". '$TD_SRCDIR/completions/tdprobe'" ;;
        zsh) echo "fpath=('$TD_SRCDIR/completions' \$fpath); autoload -Uz compinit; compinit -u -D" ;;
        fish) echo "source '$TD_SRCDIR/completions/tdprobe.fish'" ;;
    esac
}
# What is typed, =, and the words that it becomes; in zsh and fish a folder's / may still be missing
cat > lines << 'END_OF_LINES'
tdprobe conv=tdprobe|convert
tdprobe replay --uarch em=tdprobe|replay|--uarch|emr
tdprobe replay --uarch=em=tdprobe|replay|--uarch=emr
tdprobe replay --import-fo=tdprobe|replay|--import-format
tdprobe replay --import-format perf-j=tdprobe|replay|--import-format|perf-json
tdprobe perf-command --uarch gnr -M dram_bound,lock_late=tdprobe|perf-command|--uarch|gnr|-M|dram_bound,lock_latency
tdprobe explain memory_b=tdprobe|explain|memory_bound
tdprobe bench -e cache-m=tdprobe|bench|-e|cache-misses
tdprobe report --format sv=tdprobe|report|--format|svg
tdprobe replay recordi=tdprobe|replay|recording.csv
tdprobe report rec=tdprobe|report|recorded.data
tdprobe --machine m=tdprobe|--machine|my.machine
tdprobe replay --symfs fol=tdprobe|replay|--symfs|folder
tdprobe record --functions --over=tdprobe|record|--functions|--overhead
tdprobe -C 0 -- a-prog=tdprobe|-C|0|--|a-program
tdprobe -- cat oth=tdprobe|--|cat|other.bin
END_OF_LINES
mkdir bin folder && printf '#!/bin/sh\n' > bin/a-program && chmod +x bin/a-program
cat > bin/tdprobe << END
#!/bin/sh
exec '$TDPROBE' "\$@"
#!/bin/sh
exec '$TDPROBE' "\$@"
END
chmod +x bin/tdprobe
mkdir files files/folder || exit 99
for file in recording.csv recorded.data recent.bin my.machine mine.txt other.bin; do : > files/$file; done
PATH=$tmp/bin:$PATH
export PATH
set --
while IFS= read -r line; do set -- "$@" "${line%=tdprobe*}"; done < lines
# all at once, since most of the time is waiting for a shell to be quiet
for shell in bash zsh fish; do
    command -v $shell > /dev/null || { echo "there is no $shell: its completion was not tested"; continue; }
    ran="$ran $shell"
    mkdir home-$shell
    { (cd files && HOME=$tmp/home-$shell timeout 300 python3 "$TD_SRCDIR/tests/scripts/complete_in.py" $shell "$(setup_of $shell)" "$@") > answers-$shell || fail "$shell: no answers"; } &
done
wait
sed 's/.*=tdprobe/tdprobe/' lines > want
for shell in $ran; do
    sed 's,/$,,' answers-$shell > got
    cmp -s want got || { fail "$shell:"; diff want got; }
done
[ -n "$ran" ] || { echo "there is none of these shells"; exit 77; }
echo "tested in$ran"
[ ! -e failed ]
