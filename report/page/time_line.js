// SPDX-License-Identifier: MIT
// Draws the time line of one scope: the stack of level 1, the verdicts as a ribbon, and a band of each node. A page is XML, too:
// so there is neither a less-than sign nor an ampersand in here.
const section = document.querySelector('.time');
let timeLine; // what the heat map shares
if (section) {
  const NONE = 255, STEP = 0.5;
  const part = what => section.querySelector(what), make = (what, of) => Object.assign(document.createElement(what), of);
  const drawn = part('.drawn'), plot = part('.plot'), select = part('select'), readout = part('.readout');
  const bytes = text => {
    const from = atob(text), to = new Uint8Array(from.length);
    for (let i = from.length; i--;) to[i] = from.charCodeAt(i);
    return to;
  };
  const inflate = async from => new Uint8Array(await new Response(new Blob([from]).stream().pipeThrough(new DecompressionStream('deflate'))).arrayBuffer());
  // The line's arrays are unpacked when it is shown first. A line without times has those of the one before it.
  const unpack = async number => {
    const div = lines[number], words = what => div.dataset[what].split('|');
    const read = async i => { const from = bytes(i.textContent); return i.dataset.packed ? inflate(from) : from; };
    const data = async (what, of = div) => { const i = of.querySelector('.' + what); return i ? read(i) : null; };
    let timer = number;
    while (!lines[timer].querySelector('.times')) timer--;
    const packed = await data('times', lines[timer]), unit = Number(div.dataset.unit), view = new DataView(packed.buffer), n = packed.length / 4, end = new Float64Array(n + 1);
    const timed = div.dataset.timed === '1', start = Number(div.dataset.start);
    for (let i = n; i; i--) end[i] = (start + view.getUint32(4 * (i - 1), true) * unit) / (timed ? 1e9 : 1);
    end[0] = start / (timed ? 1e9 : 1);
    const nodes = words('nodes'), k = nodes.length, value = await data('value'), below = {};
    // Of the last node the page has by how much it differs from what the others leave of the whole.
    for (let i = 0; n > i; i++) for (let j = 0; k > j; j++) value[(k - 1) * n + i] += k - 1 > j ? -value[j * n + i] : 100 / STEP;
    for (const i of div.querySelectorAll('.below')) below[i.dataset.node] = await read(i);
    // The values of a node, null where it has none.
    const of = node => nodes.includes(node) ? value.subarray(n * nodes.indexOf(node), n * (nodes.indexOf(node) + 1)) : below[node] || null;
    return { n, end, timed, nodes, value, below, of, said: time => timed ? time.toFixed(3) + ' s' : Math.round(time).toString(), colours: words('colours'), verdicts: words('verdicts'), ribbon: words('ribbon'), phases: (div.dataset.phases || '').split('|').filter(w => w).map(Number),
      verdict: await data('verdict'), low: await data('low'), high: await data('high') };
  };
  let line, from, to, at = 0, width = 0, wanted;
  const lines = [...section.querySelectorAll('.line')], unpacked = [];
  const stack = make('canvas', { height: 160 }), ribbon = make('canvas', { height: 16 }), cursor = make('div', { className: 'cursor' }), phases = make('canvas', { height: 16 }), chosen = make('div', { className: 'chosen', hidden: true });
  const load = number => unpacked[number] = unpacked[number] || unpack(number);
  let bands = [];

  // The first interval that ends after a time.
  const after = time => {
    let low = 1, high = line.n;
    while (high > low) { const middle = low + high >> 1; if (line.end[middle] > time) high = middle; else low = middle + 1; }
    return low - 1;
  };
  // What each column of the picture is of: of each node the mean, the least and the largest; the verdict of most of its time.
  const columns = () => {
    const k = line.nodes.length, n = line.n, mean = new Float32Array(width * k), least = new Uint8Array(width * k).fill(NONE), most = new Uint8Array(width * k), verdict = new Uint8Array(width).fill(NONE);
    const weight = new Float64Array(k), sum = new Float64Array(k), held = new Float64Array(256), low = line.low || line.value, high = line.high || line.value;
    let i = after(from);
    for (let x = 0; width > x; x++) {
      const left = from + (to - from) * x / width, right = from + (to - from) * (x + 1) / width, first = i;
      weight.fill(0); sum.fill(0);
      let longest = 0;
      for (; n > i; i++) {
        const share = Math.min(right, line.end[i + 1]) - Math.max(left, line.end[i]);
        if (share > 0) {
          for (let j = 0; k > j; j++) {
            const value = line.value[j * n + i], at = x * k + j;
            if (value === NONE) continue;
            const l = low[j * n + i], h = high[j * n + i];
            weight[j] += share; sum[j] += share * value;
            least[at] = Math.min(least[at], l === NONE ? value : l); most[at] = Math.max(most[at], h === NONE ? value : h);
          }
          const v = line.verdict[i];
          held[v] += share;
          if (held[v] > longest) { longest = held[v]; verdict[x] = v; }
        }
        if (line.end[i + 1] > right) break;
      }
      for (let j = first; j !== Math.min(i + 1, n); j++) held[line.verdict[j]] = 0;
      i = Math.min(i, n - 1);
      for (let j = 0; k > j; j++) mean[x * k + j] = weight[j] ? sum[j] / weight[j] : NaN;
    }
    return { k, mean, least, most, verdict };
  };
  const paint = (canvas, rect) => {
    const height = Math.round(canvas.clientHeight * devicePixelRatio), c = canvas.getContext('2d');
    canvas.width = width; canvas.height = height;
    rect(c, height);
  };
  const draw = () => {
    width = Math.max(1, Math.round(stack.clientWidth * devicePixelRatio));
    const { k, mean, least, most, verdict } = columns();
    paint(stack, (c, height) => {
      for (let j = 0; k > j; j++) {
        c.fillStyle = line.colours[j];
        for (let x = 0; width > x; x++) {
          let below = 0;
          for (let i = 0; j > i; i++) below += mean[x * k + i] || 0;
          const value = mean[x * k + j];
          if (value > 0) c.fillRect(x, height * (1 - (below + value) / 200), 1, height * value / 200);
        }
      }
    });
    if (line.phases.length) paint(phases, (c, height) => {
      const { color, fontFamily } = getComputedStyle(plot);
      Object.assign(c, { fillStyle: color, textAlign: 'center', textBaseline: 'middle', font: `${0.8 * height}px ${fontFamily}` });
      line.phases.forEach((last, i) => {
        const [left, right] = [i ? line.phases[i - 1] : 0, last].map(p => Math.max(0, Math.min(width, width * (line.end[p] - from) / (to - from))));
        c.globalAlpha = i % 2 ? 0.25 : 0.1;
        c.fillRect(left, 0, right - left, height);
        c.globalAlpha = 1;
        if (right - left > height * `${i + 1}`.length) c.fillText(i + 1, (left + right) / 2, height / 2);
      });
    });
    paint(ribbon, (c, height) => {
      for (let x = 0; width > x; x++) {
        if (verdict[x] === NONE) continue;
        c.fillStyle = line.ribbon[verdict[x]];
        c.fillRect(x, 0, 1, height);
      }
    });
    bands.forEach((canvas, j) => paint(canvas, (c, height) => {
      c.fillStyle = line.colours[j];
      for (const strong of [false, true]) {
        c.globalAlpha = strong ? 1 : 0.4;
        for (let x = 0; width > x; x++) {
          const i = x * k + j, value = mean[i], thick = 1.5 * devicePixelRatio;
          if (isNaN(value)) continue;
          if (strong) c.fillRect(x, (height - thick) * (1 - value / 200), 1, thick);
          else c.fillRect(x, height * (1 - most[i] / 200), 1, Math.max(1, height * (most[i] - least[i]) / 200));
        }
      }
    }));
    const [left, right] = drawn.querySelectorAll('.axis span');
    left.textContent = line.said(from); right.textContent = line.said(to);
    point();
  };
  const share = value => value === NONE ? '\u2013' : (STEP * value).toFixed(1) + ' %';
  const range = (low, high) => (STEP * low).toFixed(1) + ' .. ' + share(high);
  // Of a node from the least to the largest value of the intervals in the cursor's column; '' where it is alone.
  const beside = j => {
    const column = (to - from) / width, middle = (line.end[at] + line.end[at + 1]) / 2;
    const first = after(middle - column / 2), last = after(middle + column / 2);
    let least = NONE, most = 0;
    for (let i = first; last >= i; i++) {
      const value = line.value[j * line.n + i];
      if (value !== NONE) { least = Math.min(least, value); most = Math.max(most, value); }
    }
    return last > first ? (least === NONE ? '' : `${range(least, most)} of ${last - first + 1} intervals`) : '';
  };
  // Shows the numbers of the interval that the cursor is at.
  const point = () => {
    const middle = (line.end[at] + line.end[at + 1]) / 2, v = line.verdict[at], verdict = v === NONE ? 'not measured' : line.verdicts[v];
    const inside = middle >= from ? to >= middle : false;
    cursor.hidden = !inside;
    cursor.style.left = stack.offsetLeft + stack.clientWidth * (middle - from) / (to - from) + 'px';
    const phase = line.phases.findIndex(last => last > at) + 1;
    readout.caption.textContent = `${line.timed ? 'until ' : 'interval '}${line.said(line.end[at + 1])}: ${verdict}${phase ? `, in phase ${phase} of ${line.phases.length}` : ''}`;
    line.nodes.forEach((node, j) => {
      const i = j * line.n + at, row = readout.tBodies[0].rows[j].cells;
      row[1].textContent = share(line.value[i]);
      row[2].textContent = line.low ? (line.low[i] === NONE ? 'no bounds' : range(line.low[i], line.high[i])) : 'not on this page';
      row[3].textContent = beside(j);
    });
    plot.setAttribute('aria-valuenow', at + 1);
    plot.setAttribute('aria-valuetext', `${readout.caption.textContent}; ` + line.nodes.map((node, j) => `${node} ${share(line.value[j * line.n + at])}`).join(', '));
  };
  // Shows a part of the line, which is within it and at least one interval long.
  const zoom = (left, right) => {
    const whole = [line.end[0], line.end[line.n]];
    from = Math.max(whole[0], left); to = Math.min(whole[1], right);
    if (!(to > from)) [from, to] = whole;
    draw();
  };
  const show = async number => {
    wanted = number;
    const loaded = await load(number);
    if (wanted !== number) return;
    line = loaded;
    drawn.hidden = false;
    at = 0;
    const row = (label, canvas) => { const name = make('span', { className: 'lane' }); name.append(...label); plot.append(name, canvas); };
    const swatch = j => { const s = make('span', { className: 'key' }); s.style.background = line.colours[j]; return s; };
    bands = line.nodes.map(() => make('canvas', { height: 36, className: 'band' }));
    plot.replaceChildren();
    row(['level 1'], stack); row(['verdict'], ribbon);
    if (line.phases.length) row(['phase'], phases);
    line.nodes.forEach((node, j) => row([swatch(j), node], bands[j]));
    plot.append(cursor, chosen);
    readout.tBodies[0].replaceChildren(...line.nodes.map((node, j) => {
      const tr = make('tr'), th = make('th', { scope: 'row' });
      th.append(swatch(j), node);
      tr.append(th, make('td'), make('td'), make('td'));
      return tr;
    }));
    plot.setAttribute('aria-valuemin', 1); plot.setAttribute('aria-valuemax', line.n);
    zoom(-Infinity, Infinity);
  };
  const step = by => {
    at = Math.max(0, Math.min(line.n - 1, at + by));
    const middle = (line.end[at] + line.end[at + 1]) / 2, half = (to - from) / 2;
    if (middle >= from ? to >= middle : false) point();
    else zoom(middle - half, middle + half);
  };
  const keys = {
    ArrowLeft: e => step(e.shiftKey ? -10 : -1), ArrowRight: e => step(e.shiftKey ? 10 : 1), Home: () => step(-line.n), End: () => step(line.n),
    '+': () => around(0.25), '=': () => around(0.25), '-': () => around(1), Escape: () => zoom(-Infinity, Infinity),
  };
  const around = half => { const middle = (line.end[at] + line.end[at + 1]) / 2, reach = Math.max(half * (to - from), line.end[at + 1] - line.end[at]); zoom(middle - reach, middle + reach); };
  plot.addEventListener('keydown', e => {
    if (e.ctrlKey || e.altKey || e.metaKey || !keys[e.key]) return;
    e.preventDefault();
    keys[e.key](e);
  });
  const timeAt = e => { const box = stack.getBoundingClientRect(); return from + (to - from) * Math.max(0, Math.min(1, (e.clientX - box.left) / box.width)); };
  let pressed = null;
  plot.addEventListener('pointerdown', e => { pressed = { time: timeAt(e), x: e.clientX }; });
  plot.addEventListener('pointermove', e => {
    const time = timeAt(e);
    at = after(time); point();
    if (!pressed) return;
    const left = x => stack.offsetLeft + stack.clientWidth * (x - from) / (to - from);
    chosen.hidden = 4 > Math.abs(e.clientX - pressed.x);
    chosen.style.left = left(Math.min(time, pressed.time)) + 'px';
    chosen.style.width = left(Math.max(time, pressed.time)) - left(Math.min(time, pressed.time)) + 'px';
  });
  addEventListener('pointerup', e => {
    const began = pressed;
    pressed = null; chosen.hidden = true;
    if (began) if (Math.abs(e.clientX - began.x) >= 4) { const time = timeAt(e); zoom(Math.min(time, began.time), Math.max(time, began.time)); }
  });
  plot.addEventListener('dblclick', () => zoom(-Infinity, Infinity));
  lines.forEach((div, i) => {
    const more = [div.dataset.core, div.dataset.cpu].filter(w => w), name = [...div.dataset.scope];
    select.append(make('option', { value: i, textContent: `${name.length > 60 ? name.slice(0, 60).join('') + '\u2026' : name.join('')} (${more.join(', ')})` }));
  });
  select.parentElement.hidden = lines.length === 1;
  select.addEventListener('change', () => show(Number(select.value)));
  timeLine = { lines, load, select };
  show(0).catch(() => section.append(make('p', { textContent: 'This browser is too old to draw the time line: the tables have its beginning.' })));
  addEventListener('resize', () => { if (line) draw(); });
}
