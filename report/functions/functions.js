// SPDX-License-Identifier: MIT
// Headings of the table of places get buttons that sort by their column; places without a number stay last.
for (const th of document.querySelectorAll('.places th[data-sort]')) {
  const button = document.createElement('button'), label = th.dataset.sort, name = label === 'name';
  const key = body => {
    const cell = name ? body.querySelector('th') : [...body.querySelectorAll('[data-label]')].find(c => c.dataset.label === label);
    return name ? cell.textContent : cell ? parseFloat(cell.textContent) : NaN;
  };
  button.append(...th.childNodes);
  th.append(button);
  button.addEventListener('click', () => {
    const up = name ? th.ariaSort !== 'ascending' : th.ariaSort === 'descending', table = th.closest('table');
    const rows = [...table.tBodies].map(body => ({ key: key(body), body }));
    rows.sort((a, b) => name ? (up ? 1 : -1) * a.key.localeCompare(b.key) : isNaN(a.key) - isNaN(b.key) || (up ? a.key - b.key : b.key - a.key) || 0);
    for (const other of table.tHead.querySelectorAll('th')) other.removeAttribute('aria-sort');
    th.ariaSort = up ? 'ascending' : 'descending';
    table.append(...rows.map(r => r.body));
  });
}
