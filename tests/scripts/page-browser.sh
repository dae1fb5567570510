#!/bin/sh
# SPDX-License-Identifier: MIT
# tdprobe replay --format html: the page as a browser lays it out, 1280 and 390 pixels wide, in light and dark, and what its time line
# and its heat map answer to keys and to the pointer, beside the json of the same recording.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
command -v python3 > /dev/null || { echo "skipped: no python3"; exit 77; }
. "$TD_SRCDIR/tests/scripts/browser.sh"
traces=$TD_SRCDIR/traces

# What is laid out, and what is read after each key, told to the page around it: lines of words separated by tabs.
cat > probe.js << 'END2'
const said = [], all = what => [...document.querySelectorAll(what)], one = what => document.querySelector(what), box = e => e.getBoundingClientRect();
const say = (...words) => said.push([words[0], innerWidth, ...words.slice(1)].join('\t'));
const colour = (e, of) => getComputedStyle(e)[of].replaceAll(' ', '');
say('page', document.documentElement.scrollWidth, document.documentElement.clientWidth, colour(document.body, 'backgroundColor'), all('script').length, document.title, window.alien ? 'alien' : 'alone');
for (const what of ['body', '.soft', '.bounds', '.facts dt', 'summary', '.advice', '.tag', '.readout th', '.axis']) for (const e of all(what).slice(0, 1)) say('ink', what, colour(e, 'color'));
for (const e of all('.tree:not(details .tree) > .node')) { const bar = e.querySelector('svg.bar'); if (bar) say('bar', e.dataset.node, box(bar.querySelector('rect')).width / box(bar).width, box(bar).x, box(bar).right, box(bar).height); }
const plot = one('.plot'), later = () => new Promise(done => setTimeout(done, 20));
const line = async () => {
  for (let i = 0; i < 100 && one('.drawn').hidden; i++) await later();
  const read = how => say('read', how, plot.getAttribute('role'), plot.getAttribute('aria-valuenow'), plot.getAttribute('aria-valuemax'), one('.readout caption').textContent, [...one('.readout tbody').rows].map(r => [...r.cells].slice(0, 3).map(c => c.textContent).join('=')).join(';'), all('.time .axis span').map(s => s.textContent).join(' to '));
  const key = (name, shift) => { plot.dispatchEvent(new KeyboardEvent('keydown', { key: name, shiftKey: shift, bubbles: true })); read((shift ? 'Shift-' : '') + name); };
  plot.focus(); say('focus', document.activeElement === plot ? 'yes' : 'no');
  read('start');
  for (const name of ['ArrowRight', 'End', 'ArrowLeft', 'Home', 'ArrowLeft']) key(name);
  key('ArrowRight', true); key('+'); key('Escape');
  const canvas = one('.plot canvas'), b = box(canvas), mouse = (type, x) => plot.dispatchEvent(new PointerEvent(type, { clientX: b.left + x * b.width, clientY: b.top + 5, bubbles: true }));
  mouse('pointermove', 0.6); read('hover');
  mouse('pointerdown', 0.25); mouse('pointermove', 0.75); mouse('pointerup', 0.75); read('drag');
  plot.dispatchEvent(new MouseEvent('dblclick', { bubbles: true })); read('double');
  const at = (x, y) => [...canvas.getContext('2d').getImageData(Math.round((canvas.width - 1) * x), Math.round((canvas.height - 1) * y), 1, 1).data].join(',');
  say('pixels', at(0.5, 0.999), at(0.5, 0.001));
  const select = one('select');
  if (select.options.length > 1) { select.value = '1'; select.dispatchEvent(new Event('change')); for (let i = 0; i < 5; i++) await later(); read('second'); }
};
const map = async () => {
  for (let i = 0; i < 100 && one('.heat').hidden; i++) await later();
  const of = one('.map'), [nodes, order] = all('.heat select'), canvas = one('.map canvas'), b = box(canvas);
  const tell = how => say('heat', how, nodes.value, order.selectedIndex, one('.outliers').textContent, one('.cell').textContent, one('.plot').parentElement.querySelector('select').selectedOptions[0].textContent);
  const key = name => { of.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true })); tell(name); };
  tell('start');
  for (const name of ['ArrowDown', 'End', 'ArrowLeft', 'Enter', 'ArrowUp', 'Home']) key(name);
  canvas.dispatchEvent(new PointerEvent('pointermove', { clientX: b.left + 0.5 * b.width, clientY: b.bottom - 1, bubbles: true })); tell('hover');
  for (const node of [...nodes.options].slice(1)) { nodes.value = node.value; nodes.dispatchEvent(new Event('change')); tell('node'); }
  order.selectedIndex = 1; order.dispatchEvent(new Event('change')); for (const name of ['ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowUp']) of.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true })); tell('order');
};
(plot ? line() : Promise.resolve()).then(() => one('.heat') ? map() : null).then(() => parent.postMessage(said.join('\n'), '*'));
END2
n=0
look() { # WORD...: a page, and beside it the json of the same results
    t "$@" --format json --summary; mv out page.json
    see "$@"
}
look_phases() { # WORD...: where there are phases, else the same without
    t phases "$@" --format json
    [ $code -eq 0 ] || { look replay "$@"; return; }
    mv out page.json
    t replay "$@" --format json; cat out >> page.json
    see phases "$@"
}
see() { # WORD...
    t "$@" --format html; exits 0
    n=$((n + 1))
    framed $n
    mv page.json $n/
    echo "$what" > $n/what
}

look replay --level 6 "$traces/icx-perf-metrics-intervals.trace"
look replay "$traces/adl-hybrid-intervals.trace"
look replay --level 6 "$traces/spr-perf-metrics-l2.trace"

# intervals of different shares, so that one that is taken for another is seen; phases; CPUs of which one is far from the others
python3 - > many.csv << 'END2'
for i in range(1, 61):
    for cpu in range(6):
        retiring = 1000000 + 5000 * i + 60000 * cpu % 150000 + 900000 * (cpu == 4) + 400000 * (20 < i <= 40)
        for e, n in (('slots', 4000000), ('topdown-retiring', retiring), ('topdown-bad-spec', 100000), ('topdown-fe-bound', 400000), ('topdown-be-bound', 3500000 - retiring)):
            print(f'{i}.000000000,CPU{cpu},{n},,{e},1000000000,100.00,,')
END2
look_phases --uarch icl many.csv

draw_framed 1280 390 '\t'
for page in $pages; do
    (cd "$page" && PYTHONDONTWRITEBYTECODE=1 python3 "$TD_SRCDIR/tests/scripts/results_drawn.py" > wrong) || fail "$(cat "$page/what"): $(head -n 8 "$page/wrong")"
done

[ ! -e failed ]
