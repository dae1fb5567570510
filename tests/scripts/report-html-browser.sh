#!/bin/sh
# SPDX-License-Identifier: MIT
# tdprobe report --format html: the page as a browser lays it out, 1200 and 400 pixels wide, in light and dark, beside the csv of the
# same recording and beside what was true of it (tests/samples/truth.json).
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
samples=$TD_SRCDIR/tests/samples
spr="report --uarch spr --symfs $samples/symfs"
command -v python3 > /dev/null || { echo "skipped: no python3"; exit 77; }
. "$TD_SRCDIR/tests/scripts/browser.sh"

# shellcheck disable=SC2086
t $spr "$samples/long.data"
grep -q 'built without' out err && { echo "skipped: functions have no names or bounds: $(grep -h 'built without' out err)"; exit 77; }

# What is laid out, told to the page around it: lines of words.
cat > probe.js << 'END'
const said = [], name = text => text.replaceAll(' ', '_'), box = e => e.getBoundingClientRect(), width = innerWidth;
const say = (...words) => said.push([words[0], width, ...words.slice(1)].join(' '));
const colour = (e, of) => getComputedStyle(e)[of].replaceAll(' ', '');
const bodies = () => [...document.querySelectorAll('.places > tbody')].filter(b => b.querySelector('.bar'));
say('page', document.documentElement.scrollWidth, document.documentElement.clientWidth, colour(document.body, 'backgroundColor'), colour(document.body, 'color'),
    colour(document.querySelector('.facts dt'), 'color'), document.querySelectorAll('script').length, window.alien ? 'alien' : 'alone');
for (const body of bodies()) {
  const bar = body.querySelector('.bar'), all = box(bar);
  say('bar', name(body.querySelector('bdi').textContent), all.x, all.width, all.height);
  for (const part of bar.querySelectorAll('svg')) {
    const r = part.querySelector('rect'), text = part.querySelector('text');
    say('part', name(body.querySelector('bdi').textContent), part.dataset.node, (box(r).x - all.x) / all.width, box(r).width / all.width, colour(r, 'fill'), box(text).width + 4 <= box(r).width || !text.textContent ? 'fits' : 'wide');
  }
  for (const cell of body.querySelectorAll('.number')) say('cell', name(body.querySelector('bdi').textContent), cell.dataset.label, box(cell).x, box(cell).right);
}
for (const cell of document.querySelectorAll('thead th[data-sort]')) if (cell.querySelector('.swatch')) say('head', cell.dataset.sort, colour(cell.querySelector('rect'), 'fill'));
const flame = document.querySelector('.flame'), frames = [...document.querySelectorAll('.frame')];
const draw = what => { for (const f of frames) if (getComputedStyle(f).display !== 'none')
  say(what, name(f.dataset.path), box(f.querySelector('rect')).width / box(flame).width, colour(f.querySelector('rect'), 'fill')); };
draw('frame');
const main = frames.find(f => f.dataset.path.endsWith(';main'));
if (main) main.dispatchEvent(new Event('click'));
draw('zoomed');
const sort = label => { const th = document.querySelector(`th[data-sort="${label}"]`); th.querySelector('button').click(); return th.ariaSort; };
const order = how => say('order', how, ...bodies().map(b => name(b.querySelector('bdi').textContent)));
for (const label of ['slots', 'slots', 'name', 'retiring']) order(label + '-' + sort(label));
parent.postMessage(said.join('\n'), '*');
END
look() { # DATA: a page, and beside it the csv of the same
    # shellcheck disable=SC2086
    t $spr --format html "$samples/$1.data"; exits 0
    framed "$1"
    # shellcheck disable=SC2086
    {
    t $spr --format csv "$samples/$1.data"; mv out "$1/page.csv"
    t $spr --format csv --by stack "$samples/$1.data"; mv out "$1/paths.csv"
    }
}

look nest
look long

draw_framed 1200 400 ' '
for page in $pages; do
    (cd "$page" && python3 "$TD_SRCDIR/tests/scripts/html_drawn.py" "$page" "$samples/truth.json" > wrong) || fail "$page: $(head -n 8 "$page/wrong")"
done

[ ! -e failed ]
