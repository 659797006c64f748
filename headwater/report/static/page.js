// SPDX-License-Identifier: Apache-2.0
// Where the page begins.

const data = JSON.parse(document.getElementById("data").textContent);
for (const chart of data.charts) {
  // The rows of a chart of messages follow from these.
  if (data.costs[chart.name]) Object.assign(chart, data.costs[chart.name]);
}
startFilters();
startTables();
startCharts();
startDies();
if (rowOf.has(addressedKey)) chooseKey(addressedKey, true);
