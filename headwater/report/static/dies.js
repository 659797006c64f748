// SPDX-License-Identifier: Apache-2.0
// The dies of layouts, which filters choose as they choose points.

function startDies() {
  listeners.push(showDies);
  showDies();
}

function showDies() {
  const section = document.getElementById("layouts");
  if (!section) return;
  const dies = [...section.querySelectorAll("figure")];
  dies.forEach(die => { die.hidden = !passes(facetsOf(data.dies[die.dataset.key])); });
  section.hidden = dies.every(die => die.hidden);
}
