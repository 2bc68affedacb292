"use strict";
// Keys of the page. Where something is typed or chosen they belong to that.

const TYPED = ["INPUT", "SELECT", "TEXTAREA"];
const OWN = ["BUTTON", "SUMMARY"]; // of these Space and Enter

function keyboard(page) {
  const acts = {
    Space: () => page.press(), ArrowLeft: () => page.step(-1), ArrowRight: () => page.step(1), Home: () => { page.pause(); page.seek(page.begin); },
    End: () => { page.pause(); page.seek(page.end); }, Escape: () => page.select(null), f: () => $("fit").click(), l: () => $("loop").click(), d: () => $("theme").click(),
    L: () => page.lecture(), "?": () => $("keys").showModal(),
  };
  document.addEventListener("keydown", (event) => {
    const { tagName, type } = event.target, typed = (TYPED.includes(tagName) && !["checkbox"].includes(type)) || event.target.isContentEditable;
    if (typed || event.ctrlKey || event.metaKey || event.altKey || !page.data || document.querySelector("dialog[open]")) return;
    if ([...OWN, "INPUT"].includes(tagName) && ["Space", "Enter"].includes(event.code)) return;
    if (event.target.closest("[role=tree], #events") && event.code.startsWith("Arrow")) return;
    const act = acts[event.key] || acts[event.code];
    if (!act) return;
    act();
    event.preventDefault();
  });
  $("help").addEventListener("click", () => $("keys").showModal());
  $("close-keys").addEventListener("click", () => $("keys").close());
}
