// SPDX-License-Identifier: Apache-2.0
// Of very many marks those that can be seen.

/** Marks of a chart; with more a filter would be followed late. */
const MOST_MARKS = 400;
const LEAST_CELL = 3, CHART_WIDTH = 560, CHART_HEIGHT = 360;

/** The rows that are drawn: of marks of a cipher that would cover each other only one, that of the
 * least value on the vertical axis, or the greatest on the horizontal one. */
function thinned(chart, rows) {
  if (rows.length <= MOST_MARKS) return rows;
  const axes = axesOf(chart.spec);
  if (!axes) return rows;
  const across = placing(axes.x, rows), up = placing(axes.y, rows);
  const ciphers = new Map();
  const places = rows.map(row => {
    if (!ciphers.has(row.cipher)) ciphers.set(row.cipher, ciphers.size);
    return [ciphers.get(row.cipher), across(row) * CHART_WIDTH, up(row) * CHART_HEIGHT];
  });
  let kept = rows;
  for (let cell = LEAST_CELL; kept.length > MOST_MARKS; cell *= 1.5) {
    const found = new Map();
    rows.forEach((row, index) => {
      const [cipher, x, y] = places[index];
      const place = (cipher * CHART_WIDTH + Math.floor(x / cell)) * CHART_HEIGHT + Math.floor(y / cell);
      const other = found.get(place);
      if (!other || isBefore(row, other, axes)) found.set(place, row);
    });
    kept = [...found.values()];
  }
  return kept;
}

const isBefore = (row, other, {x, y}) =>
  row[y.field] < other[y.field] || (row[y.field] === other[y.field] && row[x.field] > other[x.field]);

/** The first pair of axes in a specification. */
function axesOf(spec) {
  const {x, y} = spec.encoding ?? {};
  if (x?.field && y?.field) return {x, y};
  for (const layer of spec.layer ?? []) {
    const found = axesOf(layer);
    if (found) return found;
  }
  return undefined;
}

/** Gives the place of a row on an axis, from 0 to 1. */
function placing(axis, rows) {
  if (axis.type !== "quantitative") {
    const names = new Map([...new Set(rows.map(row => row[axis.field]))].map((name, place) => [name, place]));
    return row => names.get(row[axis.field]) / names.size;
  }
  const scaled = axis.scale?.type === "log" ? Math.log : Number;
  let least = Infinity, most = -Infinity;
  for (const row of rows) {
    const value = scaled(row[axis.field]);
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return row => (scaled(row[axis.field]) - least) / (most - least || 1);
}
