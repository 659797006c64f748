// SPDX-License-Identifier: Apache-2.0
// A chart's specification for the rows that it shows: legends and order of these alone, and of very
// many ciphers a few in colour.

const MOST_COLOURS = 8, GREY = "#888888";

function specOfShown(chart, rows) {
  const spec = structuredClone(chart.spec);
  for (const encoding of encodingsOf(spec)) {
    for (const channel of Object.values(encoding)) keepShown(channel, rows);
    if (encoding.y?.field === "cipher" && Array.isArray(encoding.y.sort) && encoding.x?.field) {
      encoding.y.sort = bestFirst(encoding.y.sort, encoding.x.field, chart.rows, rows);
    }
  }
  return spec;
}

function* encodingsOf(spec) {
  if (spec.encoding) yield spec.encoding;
  for (const layer of spec.layer ?? []) yield* encodingsOf(layer);
}

/** Of the names on a scale those that rows have; beyond eight ciphers the others are grey, and have
 * no place in the legend. Those that should protect nothing come last. */
function keepShown(channel, rows) {
  const {field, scale} = channel;
  if (!Array.isArray(scale?.domain) || !Array.isArray(scale.range)) return;
  const present = new Set(rows.map(row => row[field]));
  const kept = scale.domain.map((name, place) => [name, scale.range[place]]).filter(([name]) => present.has(name));
  if (!kept.length) return;
  scale.domain = kept.map(([name]) => name);
  scale.range = kept.map(([, value]) => value);
  if (field !== "cipher" || kept.length <= MOST_COLOURS) return;
  const isBroken = name => data.ciphers[name]?.security === "broken";
  const coloured = scale.domain.toSorted((one, other) => isBroken(one) - isBroken(other)).slice(0, MOST_COLOURS);
  scale.range = kept.map(([name, value]) =>
    String(value).startsWith("#") && !coloured.includes(name) ? GREY : value);
  if (channel.legend !== null) channel.legend = {...channel.legend, values: coloured};
}

/** The names of shown rows in the order of their best value: the greatest, or the least where the
 * order of all rows is that of the least. */
function bestFirst(names, field, all, rows) {
  const best = (some, better) => {
    const found = new Map();
    for (const row of some) {
      const known = found.get(row.cipher);
      if (known === undefined || better(row[field], known)) found.set(row.cipher, row[field]);
    }
    return found;
  };
  const greater = (one, other) => one > other, less = (one, other) => one < other;
  const greatest = best(all, greater);
  const falls = names.every((name, place) => !place || !(greatest.get(name) > greatest.get(names[place - 1])));
  const values = best(rows, falls ? greater : less);
  return names.filter(name => values.has(name)).sort((one, other) =>
    (falls ? -1 : 1) * (values.get(one) - values.get(other)) || (one < other ? -1 : 1));
}
