// SPDX-License-Identifier: MIT
// Draws the heat map: a row for each scope, a column for each stretch of time, in the colour of a node's mean there. As in the time line,
// whose data it is of, there is neither a less-than sign nor an ampersand in here.
const heat = document.querySelector('.heat');
if (heat) {
  const NONE = 255, STEP = 0.5, TALL = 480, LABEL = 14, NAMED = 12, LETTERS = 40;
  const part = what => heat.querySelector(what), make = (what, of) => Object.assign(document.createElement(what), of);
  const map = part('.map'), canvas = part('.map canvas'), names = part('.names'), [nodes, order] = heat.querySelectorAll('select'), spot = make('div', { className: 'spot' });
  // From dark to light, as cividis, whose order also those see who see fewer colours.
  const STOPS = [[0, 34, 78], [53, 69, 108], [102, 105, 112], [148, 142, 119], [200, 184, 102], [254, 232, 56]];
  const SHADES = Uint8ClampedArray.from(Array.from({ length: 256 }, (_, shade) => {
    const at = Math.min(STOPS.length - 2, Math.floor(shade / 255 * (STOPS.length - 1))), rest = shade / 255 * (STOPS.length - 1) - at;
    return STOPS[at].map((c, i) => c + rest * (STOPS[at + 1][i] - c)).concat(255);
  }).flat());
  const share = steps => isNaN(steps) ? '\u2013' : (STEP * steps).toFixed(1) + ' %';
  const nameOf = ({ scope, core }) => ([...scope].length > LETTERS ? [...scope].slice(0, LETTERS).join('') + '\u2026' : scope) + (core ? ', ' + core : '');
  let all, rows = [], from, to, row = 0, time = 0;

  const meanOf = ({ line, value }) => {
    let sum = 0, weight = 0;
    for (let i = 0; line.n > i; i++) if (value[i] !== NONE) { const lasted = line.end[i + 1] - line.end[i]; sum += lasted * value[i]; weight += lasted; }
    return weight ? sum / weight : NaN;
  };
  const median = of => {
    const sorted = [...of].sort((a, b) => a - b), middle = sorted.length >> 1;
    return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  };
  const list = of => of.slice(0, NAMED).flatMap((r, i) => [i ? ', ' : '', make('bdi', { textContent: r.name }), ` ${share(r.mean)}`]).concat(of.length > NAMED ? ` and ${of.length - NAMED} more` : '');
  const tell = () => {
    const middle = median(rows.map(r => r.mean)), far = median(rows.map(r => Math.abs(r.mean - middle)));
    const out = rows.filter(r => Math.abs(r.mean - middle) > Math.max(1 / STEP, 5 * far)), said = part('.outliers');
    for (const r of rows) r.out = out.includes(r);
    said.replaceChildren(out.length ? `Outliers by ${nodes.value}: ` : `No scope is an outlier by ${nodes.value}`, ...list(out), `; the median of ${rows.length} scope${rows.length === 1 ? '' : 's'} is ${share(middle)}.`);
  };
  // The mean of each cell; NaN where there is no value.
  const cellsOf = width => {
    const cells = new Float32Array(width * rows.length).fill(NaN);
    rows.forEach(({ line, value }, y) => {
      const { end, n } = line, step = (to - from) / width;
      let i = 0;
      for (let x = 0; width > x; x++) {
        const left = from + step * x, right = left + step;
        let sum = 0, weight = 0;
        for (; n > i; i++) {
          const within = Math.min(right, end[i + 1]) - Math.max(left, end[i]);
          if (within > 0) if (value[i] !== NONE) { sum += within * value[i]; weight += within; }
          if (end[i + 1] > right) break;
        }
        if (weight) cells[y * width + x] = sum / weight;
      }
    });
    return cells;
  };
  const paint = (of, width, height, at) => {
    const image = new ImageData(width, height), to = new Uint32Array(image.data.buffer), shades = new Uint32Array(SHADES.buffer);
    for (let i = 0; width * height > i; i++) {
      const value = at(i);
      if (!isNaN(value)) to[i] = shades[Math.round(255 * value)];
    }
    of.width = width; of.height = height;
    of.getContext('2d').putImageData(image, 0, 0);
  };
  const draw = () => {
    const width = Math.max(1, Math.round(canvas.clientWidth * devicePixelRatio)), cells = cellsOf(width);
    let least = Infinity, most = 0;
    for (const c of cells) if (!isNaN(c)) { least = Math.min(least, c); most = Math.max(most, c); }
    paint(canvas, width, rows.length, i => (cells[i] - least) / (most - least || 1));
    [part('.scale span').textContent, heat.querySelector('.scale span:last-child').textContent] = [share(least), share(most)];
    [part('.axis span').textContent, heat.querySelector('.axis span:last-child').textContent] = [all[0].said(from), all[0].said(to)];
    point();
  };
  // The interval of a row that ends after a time.
  const after = ({ line }) => {
    let low = 1, high = line.n;
    while (high > low) { const middle = low + high >> 1; if (line.end[middle] > time) high = middle; else low = middle + 1; }
    return low - 1;
  };
  const point = () => {
    const r = rows[row], i = after(r), height = canvas.clientHeight / rows.length, unit = canvas.clientWidth / (to - from), { end } = r.line;
    Object.assign(spot.style, { left: canvas.offsetLeft + unit * (end[i] - from) + 'px', top: canvas.offsetTop + row * height + 'px', width: Math.max(3, unit * (end[i + 1] - end[i])) + 'px', height: height + 'px' });
    part('.cell').textContent = `${r.name}, ${r.line.timed ? 'until ' : 'interval '}${r.line.said(end[i + 1])}: ${nodes.value} ${share(r.value[i] === NONE ? NaN : r.value[i])}; in the mean ${share(r.mean)}${r.out ? ', an outlier' : ''}`;
  };
  const choose = () => {
    const kept = rows[row];
    rows = all.map((line, number) => ({ line, number, name: nameOf(timeLine.lines[number].dataset), value: line.of(nodes.value) })).filter(r => r.value);
    for (const r of rows) r.mean = meanOf(r);
    rows = rows.filter(r => !isNaN(r.mean));
    for (const what of ['.map', '.scale', '.cell']) part(what).hidden = !rows.length;
    part('.outliers').textContent = `No scope has a value of ${nodes.value}.`;
    if (!rows.length) return;
    if (!order.selectedIndex) rows.sort((a, b) => b.mean - a.mean);
    from = Math.min(...rows.map(r => r.line.end[0])); to = Math.max(...rows.map(r => r.line.end[r.line.n]));
    row = Math.max(0, rows.findIndex(r => kept ? r.number === kept.number : false));
    tell();
    const height = Math.max(2, Math.min(22, Math.floor(TALL / rows.length)));
    canvas.style.height = height * rows.length + 'px';
    heat.classList.toggle('many', LABEL > height);
    names.replaceChildren(...(LABEL > height ? [] : rows.map(r => { const name = make('bdi', { textContent: r.name, className: r.out ? 'out' : '' }); name.style.height = name.style.lineHeight = height + 'px'; return name; })));
    draw();
  };
  const show = () => { const { select } = timeLine; select.value = rows[row].number; select.dispatchEvent(new Event('change')); };
  const move = by => { row = Math.max(0, Math.min(rows.length - 1, row + by)); };
  const step = by => { const { line } = rows[row], i = Math.max(0, Math.min(line.n - 1, after(rows[row]) + by)); time = (line.end[i] + line.end[i + 1]) / 2; };
  const keys = { ArrowUp: () => move(-1), ArrowDown: () => move(1), ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => step(-Infinity), End: () => step(Infinity), Enter: show };
  map.addEventListener('keydown', e => {
    if (e.ctrlKey || e.altKey || e.metaKey || !keys[e.key]) return;
    e.preventDefault();
    keys[e.key]();
    point();
  });
  canvas.addEventListener('pointermove', e => {
    const box = canvas.getBoundingClientRect();
    row = Math.max(0, Math.min(rows.length - 1, Math.floor((e.clientY - box.top) / box.height * rows.length)));
    time = from + (to - from) * (e.clientX - box.left) / box.width;
    point();
  });
  canvas.addEventListener('click', show);
  for (const s of [nodes, order]) s.addEventListener('change', choose);
  addEventListener('resize', () => { if (rows.length) draw(); });
  const begin = async () => {
    all = await Promise.all(timeLine.lines.map((_, i) => timeLine.load(i)));
    const told = heat.dataset.nodes ? heat.dataset.nodes.split('|') : [...new Set(all.flatMap(line => line.nodes).concat(all.flatMap(line => Object.keys(line.below))))];
    nodes.append(...told.map(node => make('option', { textContent: node })));
    map.append(spot);
    heat.hidden = false;
    paint(part('.scale canvas'), 256, 1, i => i / 255);
    choose();
  };
  begin().catch(() => { heat.hidden = true; });
}
