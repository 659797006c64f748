// SPDX-License-Identifier: Apache-2.0
// Drawing the charts, in the page's colours, with the rows that pass the filters.

const views = new Map();
let chosenKey = "";

function startCharts() {
  data.charts.forEach(chart => { chart.busy = Promise.resolve(); });
  drawAll();
  listeners.push(drawAll);
  addEventListener("scroll", endHover, {passive: true});
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    views.forEach(view => view.finalize());
    views.clear();
    drawAll();
  });
}

/** One after the other for each chart; of several that wait, only the last. */
function drawAll() {
  for (const chart of data.charts) {
    const turn = chart.turn = (chart.turn ?? 0) + 1;
    chart.busy = chart.busy.then(() => turn === chart.turn && draw(chart))
      .catch(error => console.error(chart.name, error));
  }
}

async function draw(chart) {
  const rows = chart.costs ? messageRows(chart.costs.filter(rowPasses)) : chart.rows.filter(rowPasses);
  const place = document.querySelector(`figure[data-chart="${chart.name}"]`);
  const canvas = place.querySelector(".chart");
  // Where nothing was measured at all, the page says so from the beginning.
  if (chart.measured) place.querySelector(".missing").textContent = note(rows);
  const wasHidden = canvas.hidden;
  canvas.hidden = !rows.length;
  canvas.dataset.rows = rows.length;
  if (!rows.length) return;
  const view = views.get(chart.name);
  const drawn = JSON.stringify(rows);
  if (!view) {
    await embed(chart, rows, canvas);
  } else if (drawn !== chart.drawn) {
    await view.data("rows", rows).runAsync();
  }
  chart.drawn = drawn;
  // The window may have become another while the chart could not know its width.
  if (view && wasHidden) window.dispatchEvent(new Event("resize"));
}

const note = rows => rows.some(row => row.id) ? "" : "No measured point passes the filters.";

async function embed(chart, rows, canvas) {
  const spec = {...chart.spec, width: "container", datasets: {rows}, background: null,
                autosize: {type: "fit-x", contains: "padding"}};
  const {view} = await vegaEmbed(canvas, spec, {
    mode: "vega-lite", renderer: "svg", ast: true, actions: false, defaultStyle: false,
    logLevel: 1, config: theme(canvas.clientWidth, chart.longest), tooltip: hover,
  });
  view.addEventListener("click", (event, item) => { if (keyOf(item)) chooseKey(keyOf(item), true); });
  views.set(chart.name, view);
  if (chosenKey) view.signal("chosen", chosenKey).runAsync();
}

const keyOf = item => item && item.datum ? item.datum.id ?? item.datum.printed : undefined;

/** The point that is larger in all charts. */
function showChosen(key) {
  chosenKey = key;
  views.forEach(view => view.signal("chosen", key).runAsync());
}

/** Colours from the style sheet, so that there is one place that says them. */
function theme(width, longest) {
  const style = getComputedStyle(document.documentElement);
  const colour = name => style.getPropertyValue(name).trim();
  const ink = colour("--ink"), faint = colour("--faint"), line = colour("--line");
  return {
    font: getComputedStyle(document.body).fontFamily,
    padding: 2,
    view: {stroke: null},
    axis: {gridColor: line, domainColor: line, tickColor: line, labelColor: faint, titleColor: ink,
           titleFontWeight: 500, labelFontSize: 11, titleFontSize: 12, titlePadding: 10},
    legend: {orient: "bottom", columns: Math.max(1, Math.floor(width / (34 + 7 * longest))),
             labelColor: ink, labelFontSize: 12, labelLimit: 260, symbolLimit: 60,
             symbolBaseFillColor: faint, symbolBaseStrokeColor: faint, symbolSize: 70,
             layout: {bottom: {direction: "vertical", anchor: "start"}}},
    text: {color: faint},
  };
}
