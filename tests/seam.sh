#!/bin/sh
# SPDX-License-Identifier: MIT
# core/ is pure, and the rest of the library reaches the machine only through
# what it is given: the undefined symbols of its objects are on these lists.
set -u
bad=0
core='memchr memcmp memcpy memmove memset strchr strcmp strcspn strlen strncasecmp strncmp strspn strstr strrchr strcasecmp strdup strerror strtod strtol strtoul strtoull malloc calloc realloc free fabs fmax fmin floor snprintf vsnprintf __snprintf_chk __vsnprintf_chk __memcpy_chk __stack_chk_fail __ctype_b_loc _GLOBAL_OFFSET_TABLE_ __isoc23_strtol __isoc23_strtoul __isoc23_strtoull'
more='csv_init csv_free csv_parse csv_set_delim csv_set_quote'

# undefined symbols of objects that are neither ours nor allowed
check() {
    what=$1 allowed=$2
    shift 2
    found=0
    for object in "$@"; do
        [ -e "$object" ] || continue
        found=1
        for symbol in $(nm -u "$object" | awk '{ print $NF }' | sed 's/@.*//'); do
            case $symbol in td_*|__asan_*|__ubsan_*|__gcov*|__sanitizer_*|__odr_asan*) continue ;; esac
            echo " $allowed " | grep -qF " $symbol " || { echo "FAIL: $what: $object uses $symbol"; bad=1; }
        done
    done
    [ "$found" = 1 ] || { echo "FAIL: no objects of $what in $TD_BUILDDIR"; bad=1; }
}
check core "$core" "$TD_BUILDDIR"/core/*.o
check backends "$core" "$TD_BUILDDIR"/backends/*.o
check sim "$core $more" "$TD_BUILDDIR"/sim/libtd*.o "$TD_BUILDDIR"/sim/[!u]*.o
exit $bad
