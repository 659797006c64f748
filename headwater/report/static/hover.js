// SPDX-License-Identifier: Apache-2.0
// Where a mark's figures come from, beside the pointer. Text is only ever set as text.

function hover(handler, event, item) {
  const box = document.getElementById("hover");
  const key = keyOf(item);
  const facts = key && factsOf(key);
  box.hidden = !facts;
  if (!facts) return;
  box.replaceChildren(element("b", facts.title), element("span", facts.place), listOf(facts.facts));
  const {clientWidth: wide, clientHeight: high} = document.documentElement;
  const left = event.clientX + 16 + box.offsetWidth > wide ? event.clientX - 16 - box.offsetWidth : event.clientX + 16;
  const top = Math.min(event.clientY + 12, high - box.offsetHeight - 8);
  box.style.left = `${Math.max(8, left)}px`;
  box.style.top = `${Math.max(8, top)}px`;
}

const endHover = () => { document.getElementById("hover").hidden = true; };

function listOf(facts) {
  const list = document.createElement("dl");
  for (const [name, value] of facts) list.append(element("dt", name), element("dd", value));
  return list;
}

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
