// SPDX-License-Identifier: Apache-2.0
// Drawing the charts, in the page's colours, with the rows that pass the filters.

const views = new Map();
let chosenKey = "";

let turn = 0;

function startCharts() {
  // Charts that have nothing to show have no place in the page.
  data.charts = data.charts.filter(placeOf);
  drawAll();
  listeners.push(drawAll);
  addEventListener("scroll", endHover, {passive: true});
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    views.forEach(view => view.finalize());
    views.clear();
    drawAll();
  });
}

/** One after the other, those in the window first; a later call ends an earlier one. */
async function drawAll() {
  const mine = ++turn;
  const waiting = new Set(data.charts);
  data.charts.forEach(showOrHide);
  document.querySelectorAll("main section").forEach(tellTargets);
  while (waiting.size) {
    const chart = [...waiting].find(inWindow) ?? waiting.values().next().value;
    waiting.delete(chart);
    try {
      await draw(chart);
    } catch (error) {
      console.error(chart.name, error);
    }
    await seen();
    if (mine !== turn) return;
  }
}

/** So that the page answers between two charts, and shows one before it draws the next. Nothing of a
 * hidden page is shown. */
const seen = () => new Promise(done => {
  document.hidden ? setTimeout(done) : requestAnimationFrame(() => setTimeout(done));
});

const placeOf = chart => document.querySelector(`figure[data-chart="${chart.name}"]`);

function inWindow(chart) {
  const box = placeOf(chart).getBoundingClientRect();
  return box.bottom > 0 && box.top < innerHeight;
}

const rowsOf = chart => chart.costs ? messageRows(chart) : chart.rows.filter(rowPasses);

/** A chart without rows is hidden, and a section without charts. */
function showOrHide(chart) {
  const place = placeOf(chart);
  chart.passing = rowsOf(chart);
  chart.appeared = place.hidden;
  place.hidden = !chart.passing.length;
  const section = place.closest("section");
  section.hidden = !section.querySelector("figure:not([hidden])");
}

/** Of the targets in the words of a section, those that it shows marks of. */
function tellTargets(section) {
  for (const words of section.querySelectorAll(".technology, .said")) {
    const place = words.closest("figure") ?? section;
    const rows = data.charts.filter(chart => place.contains(placeOf(chart))).flatMap(chart => chart.passing);
    const shown = new Set(rows.filter(row => row.id).map(row => factsOf(row.id).target));
    const targets = [...words.querySelectorAll("[data-target]")];
    // Without any mark all targets are told, and that no point passes.
    targets.forEach(one => { one.hidden = shown.size > 0 && !shown.has(one.dataset.target); });
    const differ = words.querySelector("[data-several]");
    if (differ) differ.hidden = targets.filter(one => !one.hidden).length < 2;
  }
}

async function draw(chart) {
  const place = placeOf(chart), rows = thinned(chart, chart.passing);
  const canvas = place.querySelector(".chart");
  // Where nothing was measured at all, the page says so from the beginning.
  if (chart.measured) place.querySelector(".missing").textContent = note(rows);
  canvas.dataset.rows = rows.length;
  tellThinned(place, rows.length, chart.passing.length);
  if (!rows.length) return;
  const view = views.get(chart.name);
  const drawn = JSON.stringify(rows), spec = specOfShown(chart, rows);
  const form = JSON.stringify(spec);
  if (!view || form !== chart.form) {
    view?.finalize();
    chart.form = form;
    await embed(chart, spec, rows, canvas);
  } else if (drawn !== chart.drawn) {
    await view.height(heightOf(chart, rows)).data("rows", rows).runAsync();
    thinNames(canvas);
    // The window may have become another while the chart was hidden and could not know its width.
    if (chart.appeared) window.dispatchEvent(new Event("resize"));
  }
  chart.drawn = drawn;
}

/** That marks which others cover were left out. */
function tellThinned(place, drawn, all) {
  const known = place.querySelector(".thinned");
  known?.remove();
  if (drawn === all) return;
  const told = element("p", `${drawn.toLocaleString("en-US")} of ${all.toLocaleString("en-US")} marks are drawn: those that others of their cipher do not cover.`);
  told.className = "said thinned";
  place.querySelector("figcaption").append(told);
}

const note = rows => rows.some(row => row.id) ? "" : "No measured point passes the filters.";

async function embed(chart, shown, rows, canvas) {
  const spec = {...inColours(shown), width: "container", height: heightOf(chart, rows), datasets: {rows}, background: null,
                autosize: {type: "fit-x", contains: "padding"}};
  const {view} = await vegaEmbed(canvas, spec, {
    mode: "vega-lite", renderer: "svg", ast: true, actions: false, defaultStyle: false,
    logLevel: 1, config: theme(canvas.clientWidth, chart.longest), tooltip: hover,
  });
  view.addEventListener("click", (event, item) => { if (keyOf(item)) chooseKey(keyOf(item), true); });
  views.set(chart.name, view);
  view.addResizeListener(() => view.runAfter(() => thinNames(canvas)));
  thinNames(canvas);
  if (chosenKey) view.signal("chosen", chosenKey).runAsync();
}

/** Of names that would cover one another only the first is shown; the legend has them all. */
function thinNames(canvas) {
  const names = [...canvas.querySelectorAll(".role-mark.mark-text text")];
  const boxes = names.map(name => name.getBoundingClientRect());
  const kept = [];
  names.forEach((name, index) => {
    const box = boxes[index];
    const free = kept.every(other => box.right < other.left || box.left > other.right ||
                                     box.bottom - 2 < other.top || box.top > other.bottom - 2);
    name.style.visibility = free ? "" : "hidden";
    if (free) kept.push(box);
  });
}

/** In pixels; of a chart with a line for each cipher, by their number. */
function heightOf(chart, rows) {
  const {height} = chart.spec;
  return height.step ? height.step * new Set(rows.map(row => row.cipher)).size : height;
}

/** On black paper each colour is replaced by its lighter one. */
function inColours(spec) {
  if (!matchMedia("(prefers-color-scheme: dark)").matches) return spec;
  return JSON.parse(JSON.stringify(spec).replace(/#[0-9a-f]{6}/g, one => data.onBlack[one] ?? one));
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
             symbolBaseFillColor: faint, symbolBaseStrokeColor: faint, symbolSize: 70, symbolOpacity: 1,
             layout: {bottom: {direction: "vertical", anchor: "start"}}},
    text: {color: faint},
  };
}
