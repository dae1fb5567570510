# SPDX-License-Identifier: MIT
# Orders for tdprobe --control, to be sourced after checks.sh; m: the command that measures, with its options.
mkfifo ctl ack
exec 8<> ack 9<> ctl
ask() { # ORDERS ARGS...: measures with orders that are written before
    printf "$1" >&9
    shift
    t $m -x, --control fifo:ctl,ack "$@"
    answered
}
# takes what has been acknowledged
answered() {
    echo . >&8
    dd bs=4096 count=1 <&8 > acks 2> dd.err
}
acks() { [ "$(grep -c '^ack$' acks)" -eq "$1" ] || fail "$what: acknowledged $(cat acks), not $1"; }
