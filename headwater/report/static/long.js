// SPDX-License-Identifier: Apache-2.0
// The table of very many points: its rows are data, and only those in view are elements.

/** The table, its rows in the order shown, and what is drawn of them; null where it is short. */
let long = null;

/** Rows that are drawn beyond both ends of what is seen. */
const BEYOND = 15;
const DASH = "\u2013";

const isLong = table => table.id === "points" && data.rows.length > 0;
const isInLongTable = key => long !== null && long.placeOf.has(key);

function startLongTable() {
  const table = document.getElementById("points");
  if (!table || !isLong(table)) return;
  const heads = [...table.tHead.rows[0].cells];
  const keys = Object.keys(data.points);
  long = {
    table, heads, box: table.closest(".scroll"), tools: document.querySelector('.tools[data-of="points"]'),
    rows: data.rows.map((cells, place) => ({key: keys[place], cells, text: ""})), shown: [],
    placeOf: new Map(keys.map((key, place) => [key, place])), height: 0, sorted: null,
  };
  long.order = [...long.rows];
  heads.forEach((head, column) => head.querySelector("button").addEventListener("click", () => sortLong(column)));
  long.tools.querySelector("input").addEventListener("input", showLong);
  long.tools.querySelector("button").addEventListener("click", () =>
    saveCsv(table, long.shown.map(row => row.cells.map(value => value === null ? "" : String(value)))));
  long.box.addEventListener("scroll", drawLong, {passive: true});
  table.tBodies[0].addEventListener("click", event => {
    const row = event.target.closest("tr[data-key]");
    if (row) chooseKey(row.dataset.key, false);
  });
  listeners.push(showLong);
  showLong();
}

/** As `shown` of headwater/report/html.py. */
function textOf(value) {
  if (value === null) return DASH;
  if (typeof value !== "number" || Number.isInteger(value)) return String(value);
  if (Math.abs(value) >= 1000) return value.toFixed(0);
  const [digits, exponent] = value.toExponential(3).split("e");
  if (Number(exponent) >= -4) return String(Number(value.toPrecision(4)));
  return `${Number(digits)}e-${exponent.slice(1).padStart(2, "0")}`;
}

function sortLong(column) {
  const head = long.heads[column], down = head.getAttribute("aria-sort") === "ascending";
  for (const other of long.heads) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  const value = row => row.cells[column] ?? "";
  long.order.sort((one, other) => compare(value(one), value(other), down));
  showLong();
}

function showLong() {
  const wanted = long.tools.querySelector("input").value.trim().toLowerCase().split(/\s+/).filter(word => word);
  const found = row => {
    row.text ||= row.cells.map(textOf).join(" ").toLowerCase();
    return wanted.every(word => row.text.includes(word));
  };
  long.shown = long.order.filter(row => keyPasses(row.key) && (!wanted.length || found(row)));
  const {length} = long.shown, all = long.rows.length;
  long.table.closest("section").hidden = !length && !wanted.length;
  long.tools.querySelector(".count").textContent = length === all ? `${length} rows` : `${length} of ${all} rows`;
  drawLong();
}

/** The rows in view, between two of the height of all others. */
function drawLong() {
  const body = long.table.tBodies[0];
  if (!long.height) {
    body.replaceChildren(...long.shown.slice(0, 1).map(elementOf));
    long.height = body.offsetHeight || 33;
  }
  const first = Math.max(0, Math.floor(long.box.scrollTop / long.height) - BEYOND);
  const last = Math.min(long.shown.length, first + Math.ceil(long.box.clientHeight / long.height) + 2 * BEYOND);
  body.replaceChildren(spaceOf(first), ...long.shown.slice(first, last).map(elementOf), spaceOf(long.shown.length - last));
}

function spaceOf(count) {
  const row = document.createElement("tr");
  row.className = "space";
  row.style.height = `${count * long.height}px`;
  return row;
}

function elementOf({key, cells}) {
  const row = document.createElement("tr");
  row.id = `point-${key}`;
  row.dataset.key = key;
  if (key === addressedKey) {
    row.classList.add("chosen");
    row.setAttribute("aria-selected", "true");
  }
  cells.forEach((value, column) => {
    const cell = element(column ? "td" : "th", textOf(value));
    cell.className = long.heads[column].className;
    if (!column) cell.scope = "row";
    row.append(cell);
  });
  return row;
}

/** Draw the chosen row anew, and on request bring it into view. */
function showInLongTable(key, scroll) {
  const passes = row => row.key === key;
  if (scroll && !long.shown.some(passes)) {
    long.tools.querySelector("input").value = "";
    showLong();
  }
  const place = long.shown.findIndex(passes);
  if (scroll && place >= 0) {
    long.box.scrollIntoView({block: "center"});
    long.box.scrollTop = (place + 1) * long.height - long.box.clientHeight / 2;
  }
  drawLong();
}
