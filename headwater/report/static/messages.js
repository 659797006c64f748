// SPDX-License-Identifier: Apache-2.0
// What messages cost, of the points that the filters leave; as headwater/report/messages.py does it.

const SHORTEST = 1, LONGEST = 2 ** 30;

const costOf = (line, bits) => line.fixed + bits * line.per_bit;

/** Of each cipher and target, the cost that grows least with the length. */
function cheapest(costs) {
  const found = new Map();
  for (const cost of costs) {
    const key = JSON.stringify([cost.target, cost.cipher]);
    const known = found.get(key);
    if (!known || cost.per_bit < known.per_bit ||
        (cost.per_bit === known.per_bit && cost.fixed < known.fixed)) {
      found.set(key, cost);
    }
  }
  return [...found.values()];
}

/** Where two lines of one target cross, shortest message first. */
function crossOvers(lines) {
  const order = over => [over.short.cipher, over.long.cipher].join(" ");
  return [...Map.groupBy(lines, line => line.target).values()].flatMap(crossOversOfOne).sort((one, other) =>
    one.bits - other.bits || (order(one) < order(other) ? -1 : 1));
}

function crossOversOfOne(lines) {
  const found = [];
  lines.forEach((one, index) => lines.slice(index + 1).forEach(other => {
    const [short, long] = one.per_bit > other.per_bit ? [one, other] : [other, one];
    if (short.per_bit === long.per_bit) return;
    const bits = (long.fixed - short.fixed) / (short.per_bit - long.per_bit);
    if (bits < SHORTEST || bits > LONGEST) return;
    const cost = costOf(short, bits);
    const best = lines.every(rival => cost <= costOf(rival, bits) * (1 + 1e-9));
    found.push({short, long, bits, cost, best});
  }));
  return found;
}

/** The lines of charts as the filters are now, and where they cross. */
const crossing = new Map();

function crossingOf(chart) {
  if (!crossing.has(chart)) {
    const lines = cheapest(chart.costs.filter(rowPasses));
    crossing.set(chart, {lines, overs: crossOvers(lines)});
  }
  return crossing.get(chart);
}

/** The rows of a chart of messages: lines, and rings where the best changes. */
function messageRows(chart) {
  const {lines, overs} = crossingOf(chart);
  const rings = overs.filter(over => over.best).map(over => ({
    ids: [over.short.id, over.long.id], bits: over.bits, cost: over.cost,
    cipher: over.long.cipher, target: over.short.target,
  }));
  return [...lines, ...rings];
}
