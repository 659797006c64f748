// SPDX-License-Identifier: Apache-2.0
// Where the page begins.

let data;

/** JSON whose hashes are numbers between two characters 1, below a line with all hashes. */
async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const whole = await new Response(stream).text();
  const end = whole.indexOf("\n");
  const hash = number => `"${whole.slice(64 * number, 64 * number + 64)}"`;
  return JSON.parse(whole.slice(end + 1).replace(/\x01(\d+)\x01/g, (_, number) => hash(Number(number))));
}

async function start() {
  data = await unpack(document.getElementById("data").textContent);
  for (const chart of data.charts) {
    // The rows of a chart of messages follow from these.
    if (data.costs[chart.name]) Object.assign(chart, data.costs[chart.name]);
  }
  startFilters();
  startTables();
  startLongTable();
  startCharts();
  startDies();
  if (addressedKey && isInTable(addressedKey)) chooseKey(addressedKey, true);
}

start();
