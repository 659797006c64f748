// SPDX-License-Identifier: Apache-2.0
// The filters and the chosen point in the page's address, so that a link shows the same.

const address = new URLSearchParams(location.hash.slice(1));
let addressedKey = address.get("point") ?? "";

/** The values of a filter in the address; undefined where the address does not say. */
function chosenInAddress(facet) {
  return address.has(facet) ? new Set(address.getAll(facet).filter(value => value)) : undefined;
}

function tellAddress() {
  const told = new URLSearchParams();
  for (const [facet, chosen] of filters) {
    const usual = defaults.get(facet);
    if (chosen.size === usual.size && [...chosen].every(value => usual.has(value))) continue;
    // A filter that names nothing is told too, where the page would open with another.
    (chosen.size ? [...chosen] : [""]).forEach(value => told.append(facet, value));
  }
  if (addressedKey) told.set("point", addressedKey);
  try {
    history.replaceState(null, "", `#${told}`);
  } catch {
    // Some browsers keep a page from disk from doing that; all else works.
  }
}
