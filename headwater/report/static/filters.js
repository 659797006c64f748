// SPDX-License-Identifier: Apache-2.0
// Which points are shown: a point passes if each filter names nothing, or its value.

const filters = new Map();
/** The filters of a page that is opened without any in its address. */
const defaults = new Map();
const listeners = [];

function startFilters() {
  const boxes = document.querySelectorAll("#filters details");
  for (const box of boxes) {
    const checked = [...box.querySelectorAll("input:checked")].map(input => input.value);
    defaults.set(box.dataset.facet, new Set(checked));
    filters.set(box.dataset.facet, chosenInAddress(box.dataset.facet) ?? new Set(checked));
    showFilter(box);
    box.addEventListener("change", event => choose(box, event.target));
    box.addEventListener("toggle", () => {
      if (box.open) boxes.forEach(other => { if (other !== box) other.open = false; });
    });
  }
  document.addEventListener("click", event => {
    boxes.forEach(box => { if (!box.contains(event.target)) box.open = false; });
  });
  document.addEventListener("keydown", event => {
    if (event.key === "Escape") boxes.forEach(box => { box.open = false; });
  });
  document.getElementById("clear").addEventListener("click", clearFilters);
  filtersChanged();
}

function choose(box, input) {
  const chosen = filters.get(box.dataset.facet);
  input.checked ? chosen.add(input.value) : chosen.delete(input.value);
  filtersChanged();
}

function clearFilters() {
  filters.forEach(chosen => chosen.clear());
  document.querySelectorAll("#filters details").forEach(showFilter);
  filtersChanged();
}

function showFilter(box) {
  const chosen = filters.get(box.dataset.facet);
  box.querySelectorAll("input").forEach(input => { input.checked = chosen.has(input.value); });
}

function filtersChanged() {
  for (const box of document.querySelectorAll("#filters details")) {
    const count = filters.get(box.dataset.facet).size;
    box.classList.toggle("some", count > 0);
    box.querySelector("summary").textContent = box.dataset.title + (count ? ` · ${count}` : "");
  }
  passing.clear();
  crossing.clear();
  showCount();
  tellAddress();
  listeners.forEach(changed => changed());
}

function showCount() {
  const all = Object.keys(data.points), shown = all.filter(keyPasses).length;
  const active = [...filters.values()].some(chosen => chosen.size);
  document.getElementById("count").textContent = active ? `${shown} of ${all.length} points` : "";
  document.getElementById("clear").hidden = !active;
}

/** Whether values by facet pass; a value that is not known passes. */
function passes(values) {
  for (const [facet, chosen] of filters) {
    const value = values[facet];
    if (chosen.size && value !== undefined && value !== null && !chosen.has(String(value))) return false;
  }
  return true;
}

const facetsOf = one => ({...data.ciphers[one.cipher], cipher: one.cipher, radix: one.radix,
                          target: one.target});
const factsOf = key => data.points[key] ?? data.systems[key] ?? data.printed[key];
/** Whether keys pass the filters as they are now. */
const passing = new Map();

function keyPasses(key) {
  let found = passing.get(key);
  if (found === undefined) {
    found = passes(facetsOf(factsOf(key)));
    passing.set(key, found);
  }
  return found;
}

const rowPasses = row => keyPasses(row.id ?? row.printed);
