#!/bin/sh
# SPDX-License-Identifier: MIT
# tdprobe report --format svg: the flame graph as a browser lays it out, beside the json of the same paths.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
samples=$TD_SRCDIR/tests/samples
spr="report --uarch spr --symfs $samples/symfs"
command -v jq > /dev/null || { echo "skipped: there is no jq"; exit 77; }
. "$TD_SRCDIR/tests/scripts/browser.sh"

# shellcheck disable=SC2086
{
t $spr --format svg "$samples/nest.data"; exits 0
mv out flame.svg
t $spr -j --by stack "$samples/nest.data"; exits 0
}
# PATH X WIDTH Y COLOUR as drawn, one line each, then the same after a click on main
cat > script << 'END'
<pre id="said"></pre>
<script>
const said = [], all = [...document.querySelectorAll('.frame')];
function look(what) {
  for (const f of all) {
    const r = f.querySelector('rect'), box = r.getBoundingClientRect(), text = f.querySelector('text').getBoundingClientRect();
    if (getComputedStyle(f).display !== 'none')
      said.push([what, f.dataset.path.replaceAll(' ', '_'), box.x.toFixed(3), box.width.toFixed(3), box.y, getComputedStyle(r).fill.replaceAll(' ', ''),
                 text.width <= Math.max(box.width, 8) ? 'fits' : 'wide', f.querySelector('title').textContent.includes('pure') ? 'titled' : 'untitled'].join(' '));
  }
}
look('drawn');
(all.find(f => f.dataset.path.endsWith(';main')) || all[0]).dispatchEvent(new Event('click'));
look('zoomed');
document.getElementById('said').textContent = said.join('\n');
</script>
END
{ echo '<!DOCTYPE html><html><body style="margin:0">'; sed 1d flame.svg; cat script; echo '</body></html>'; } > page.html
draw "file://$tmp/page.html" |
    sed -n 's/.*<pre id="said">//; s/<\/pre>.*//; /^\(drawn\|zoomed\) /p' | sed 's/&amp;/\&/g; s/&lt;/</g; s/&gt;/>/g' > drawn
[ -s drawn ] || fail "nothing is drawn: $(tail -n 1 browser.err)"

# what json has of each path: its share, and whether and by what it is limited
jq -r '[(.scope | gsub(" "; "_")), .function.slots_share, .function.status, (.verdict.path[0] // "none")] | join(" ")' out > paths
[ -s paths ] || fail "no paths: $(head -n 3 err)"
awk 'BEGIN {
        colour["retiring"] = "rgb(0,158,115)"; colour["backend_bound"] = "rgb(213,94,0)"; colour["frontend_bound"] = "rgb(230,159,0)"
        colour["bad_speculation"] = "rgb(204,121,167)"; colour["none"] = "rgb(217,210,182)"
    }
    NR == FNR { share[$1] = $2; node[$1] = $3 == "ok" ? colour[$4] : "rgb(220,220,220)"; next }
    $1 == "drawn" {
        drawn[$2] = 1; x[$2] = $3; end[$2] = $3 + $4; y[$2] = $5
        off = $4 - 1180 * share[$2]
        if (!($2 in share) || off > 0.02 || off < -0.02) print $2 " is " $4 " wide, not " 1180 * share[$2]
        if ($6 != node[$2]) print $2 " is " $6 ", not " node[$2]
        if ($7 != "fits") print $2 ": its name is wider than it is"
        if ($8 != "titled") print $2 " has no title"
        n++
    }
    $1 == "zoomed" && $2 ~ /main$/ && ($3 != 10 || $4 != 1180) { print "zoomed in, main is " $4 " wide from " $3 }
    $1 == "zoomed" { zoomed++ }
    END {
        for (p in share) if (!(p in drawn) && 1180 * share[p] > 0.11) print p " is not drawn"
        for (p in drawn) {
            caller = p
            if (sub(/;[^;]*$/, "", caller) && (x[p] < x[caller] - 0.02 || end[p] > end[caller] + 0.02 || y[p] != y[caller] - 18)) print p " is not above " caller
            for (q in drawn) if (p != q && y[p] == y[q] && x[p] < end[q] - 0.02 && x[q] < end[p] - 0.02) print p " hides " q
        }
        if (n < 5) print n " frames"
        if (!zoomed || zoomed >= n) print zoomed + 0 " frames of " n " when zoomed in"
    }' paths drawn > wrong
[ ! -s wrong ] || fail "$(head -n 5 wrong)"

[ ! -e failed ]
