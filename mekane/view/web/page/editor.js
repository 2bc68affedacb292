"use strict";
// The text of the studio.

class Editor {
  // a text with numbers of lines, one of which may be marked
  constructor(area, changed) {
    this.area = area;
    this.area.addEventListener("input", () => { this.lines(); changed(); });
    this.area.addEventListener("scroll", () => { $("lines").scrollTop = area.scrollTop; });
    this.area.addEventListener("keydown", (event) => {
      if (event.key !== "Tab" || event.shiftKey) return;
      event.preventDefault();
      document.execCommand("insertText", false, "  ");
    });
  }

  get text() { return this.area.value; }

  set(text) {
    const { selectionStart, selectionEnd, scrollTop, scrollLeft } = this.area;
    this.area.value = text;
    this.area.setSelectionRange(selectionStart, selectionEnd);
    this.area.scrollTop = scrollTop;
    this.area.scrollLeft = scrollLeft;
    this.lines();
  }

  // as if it were typed: Ctrl-Z brings the old text back
  replace(text) {
    this.area.focus();
    this.area.select();
    document.execCommand("insertText", false, text);
  }

  lines() {
    const count = this.text.split("\n").length;
    while ($("lines").children.length > count) $("lines").lastChild.remove();
    while ($("lines").children.length < count) $("lines").append(element("div", String($("lines").children.length + 1)));
  }

  // the line on which a part of this name begins; 0 if it has none
  lineOf(name) {
    const key = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), begins = new RegExp(`^\\s+["']?${key}["']?\\s*:`);
    return this.text.split("\n").findIndex((row) => begins.test(row)) + 1;
  }

  mark(line) {
    [...$("lines").children].forEach((row, k) => row.classList.toggle("wrong", k + 1 === line));
    if (line && document.activeElement !== this.area) this.area.scrollTop = Math.max(0, (line - 4) * parseFloat(getComputedStyle(this.area).lineHeight));
  }

  go(line, column) {
    const at = this.text.split("\n").slice(0, line - 1).reduce((sum, row) => sum + row.length + 1, 0) + Math.max(0, column - 1);
    this.area.focus();
    this.area.setSelectionRange(at, at);
  }
}
