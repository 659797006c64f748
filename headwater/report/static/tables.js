// SPDX-License-Identifier: Apache-2.0
// Tables that sort, filter and export what they show.

const rowOf = new Map();

const shortTables = () => [...document.querySelectorAll("table")].filter(table => !isLong(table));

function startTables() {
  for (const table of shortTables()) {
    table.querySelectorAll("thead button").forEach((button, column) =>
      button.addEventListener("click", () => sortBy(table, column)));
    const tools = table.closest("section").querySelector(`.tools[data-of="${table.id}"]`);
    tools.querySelector("input[type=search]")?.addEventListener("input", () => showRows(table));
    tools.querySelector("input[type=checkbox]")?.addEventListener("change", () => showRows(table));
    tools.querySelector("button").addEventListener("click", () => exportCsv(table));
    for (const row of table.querySelectorAll("tr[data-key]")) {
      rowOf.set(row.dataset.key, row);
      row.addEventListener("click", () => chooseKey(row.dataset.key, false));
    }
    showRows(table);
  }
  listeners.push(() => shortTables().forEach(showRows));
}

const bodyRows = table => [...table.tBodies[0].rows];
const valueOf = cell => cell.dataset.value ?? cell.textContent;

function sortBy(table, column) {
  const heading = table.tHead.rows[0].cells[column];
  const down = heading.getAttribute("aria-sort") === "ascending";
  for (const cell of table.tHead.rows[0].cells) cell.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", down ? "descending" : "ascending");
  const rows = bodyRows(table);
  rows.sort((one, other) => compare(valueOf(one.cells[column]), valueOf(other.cells[column]), down));
  table.tBodies[0].append(...rows);
}

/** Numbers as numbers, and what is absent always last. */
function compare(one, other, down) {
  if (one === "" || other === "") return (one === "") - (other === "");
  const difference = Number(one) - Number(other);
  const order = Number.isNaN(difference) ? one.localeCompare(other, "en") : difference;
  return down ? -order : order;
}

function showRows(table) {
  if (table.id === "cross-overs") fillCrossOvers(table);
  const tools = document.querySelector(`.tools[data-of="${table.id}"]`);
  const wanted = (tools.querySelector("input[type=search]")?.value ?? "").trim().toLowerCase().split(/\s+/).filter(word => word);
  const rows = bodyRows(table);
  const found = row => {
    const text = row.textContent.toLowerCase();
    return wanted.every(word => text.includes(word));
  };
  for (const row of rows) {
    const passes = row.dataset.key === undefined || keyPasses(row.dataset.key);
    row.hidden = !passes || (wanted.length > 0 && !found(row));
  }
  const shown = rows.filter(row => !row.hidden).length;
  // A printed table of other ciphers than the chosen ones says nothing.
  table.closest("section").hidden = !shown && !wanted.length;
  tools.querySelector(".count").textContent =
    shown === rows.length ? `${shown} rows` : `${shown} of ${rows.length} rows`;
}

/** The row of a point: highlighted, and on request brought into view. */
function chooseKey(key, scroll) {
  endHover();
  document.querySelectorAll("tr.chosen").forEach(row => {
    row.classList.remove("chosen");
    row.removeAttribute("aria-selected");
  });
  showChosen(key);
  if (isInLongTable(key)) {
    addressedKey = key;
    tellAddress();
    showInLongTable(key, scroll);
    return;
  }
  const row = rowOf.get(key);
  if (!row) return;
  row.classList.add("chosen");
  row.setAttribute("aria-selected", "true");
  addressedKey = key;
  tellAddress();
  if (scroll) bringIntoView(row);
}

function bringIntoView(row) {
  const table = row.closest("table");
  const search = document.querySelector(`.tools[data-of="${table.id}"] input[type=search]`);
  if (row.hidden && search.value) {
    search.value = "";
    showRows(table);
  }
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  row.scrollIntoView({block: "center", inline: "nearest", behavior: still ? "instant" : "smooth"});
}

function fillCrossOvers(table) {
  const all = document.getElementById("all-cross-overs").checked;
  const rows = data.charts.filter(chart => chart.costs).flatMap(chart =>
    crossingOf(chart).overs.filter(over => all || over.best)
      .map(over => crossOverRow(chart.quantity, over)));
  table.tBodies[0].replaceChildren(...rows);
  for (const cell of table.tHead.rows[0].cells) cell.removeAttribute("aria-sort");
}

function crossOverRow(quantity, over) {
  const row = document.createElement("tr");
  const name = cost => `${cost.cipher}, radix ${cost.radix}`;
  const cells = [["th", quantity], ["td", over.short.target || "any"], ["td", name(over.short)],
                 ["td", name(over.long)], ["td", over.bits], ["td", over.cost],
                 ["td", over.best ? "yes" : "no"]];
  for (const [kind, content] of cells) {
    const number = typeof content === "number";
    const whole = number ? Math.ceil(content) : content;
    const cell = element(kind, number ? whole.toLocaleString("en-US") : content);
    if (number) {
      cell.className = "number";
      cell.dataset.value = whole;
    }
    row.append(cell);
  }
  return row;
}

const isInTable = key => rowOf.has(key) || isInLongTable(key);

function exportCsv(table) {
  saveCsv(table, bodyRows(table).filter(row => !row.hidden).map(row => [...row.cells].map(valueOf)));
}

/** A file with the names of the columns, and these lines of texts. */
function saveCsv(table, lines) {
  const quoted = text => /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const header = [...table.tHead.rows[0].cells].map(cell => cell.dataset.column);
  const text = [header, ...lines].map(line => line.map(quoted).join(",")).join("\n") + "\n";
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], {type: "text/csv;charset=utf-8"}));
  link.download = `headwater-${table.id}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
