"use strict";
// The text of the studio: CodeMirror with colours, completion, errors in place, and one history for what is typed and what sliders write.

const WRITTEN = CM.Annotation.define(); // by the page and not by hand; the same value: one step of the history
const NEW_STEP = 500; // what is typed after a pause so long is a step of its own [ms]
const EDITOR_KEYS = "Tab indents; Escape, then Tab, leaves the text. Ctrl-Space offers what can stand here.";

const CODE_COLOURS = CM.HighlightStyle.define([
  { tag: [CM.tags.definition(CM.tags.propertyName), CM.tags.propertyName], color: "var(--code-key)" },
  { tag: CM.tags.comment, color: "var(--code-comment)", fontStyle: "italic" },
  { tag: [CM.tags.string, CM.tags.content, CM.tags.attributeValue], color: "var(--code-text)" },
  { tag: [CM.tags.number, CM.tags.bool], color: "var(--code-number)" },
  { tag: [CM.tags.punctuation, CM.tags.separator, CM.tags.brace, CM.tags.squareBracket], color: "var(--soft)" },
]);

class Editor {
  // changed(undone): after something was typed, pasted, undone or redone
  constructor(holder, changed, completion) {
    this.changed = changed;
    this.last = { time: 0, written: undefined };
    const extensions = [
      CM.lineNumbers(), CM.highlightActiveLineGutter(), CM.highlightSpecialChars(), CM.drawSelection(), CM.highlightActiveLine(), CM.bracketMatching(),
      CM.history({ newGroupDelay: 1e9, joinToEvent: (step, adjacent) => this.joins(step, adjacent) }),
      CM.indentUnit.of("  "), CM.yaml(), CM.syntaxHighlighting(CODE_COLOURS), CM.lintGutter(),
      CM.autocompletion({ override: [(context) => completion.source(context)], icons: false }),
      CM.EditorView.contentAttributes.of({ "aria-label": `the model's text. ${EDITOR_KEYS}`, spellcheck: "false" }),
      CM.keymap.of([{ key: "Tab", run: CM.acceptCompletion }, { key: "Tab", run: CM.indentMore, shift: CM.indentLess }, { key: "Mod-Enter", run: () => true }, ...CM.completionKeymap, ...CM.searchKeymap, ...CM.historyKeymap, ...CM.defaultKeymap]),
      CM.EditorView.updateListener.of((update) => this.updated(update)),
    ];
    this.view = new CM.EditorView({ parent: holder, extensions });
  }

  get text() { return this.view.state.doc.toString(); }

  // one step of the history: the same drag of a slider, or typing without a pause
  joins(step, adjacent) {
    const written = step.annotation(WRITTEN);
    if (written !== undefined || this.last.written !== undefined) return written === this.last.written;
    return adjacent && step.annotation(CM.Transaction.time) - this.last.time < NEW_STEP;
  }

  updated(update) {
    for (const step of update.transactions.filter((one) => one.docChanged)) {
      this.last = { time: step.annotation(CM.Transaction.time), written: step.annotation(WRITTEN) };
      if (this.last.written === undefined) this.changed(step.isUserEvent("undo") || step.isUserEvent("redo"));
    }
  }

  // the text of the start: nothing to undo
  begin(text) { this.dispatch(text, [CM.Transaction.addToHistory.of(false), WRITTEN.of({})]); }

  // written by the page; steps with the same `gesture` are undone together
  set(text, gesture = {}) { this.dispatch(text, [WRITTEN.of(gesture)]); }

  // only what differs is changed, so that the cursor and marks stay where they are
  dispatch(text, annotations) {
    const before = this.text;
    if (text === before) return;
    let from = 0, end = before.length, until = text.length;
    while (from < Math.min(end, until) && before[from] === text[from]) from++;
    while (end > from && until > from && before[end - 1] === text[until - 1]) { end--; until--; }
    this.view.dispatch({ changes: { from, to: end, insert: text.slice(from, until) }, annotations });
  }

  undo() { CM.undo(this.view); }
  redo() { CM.redo(this.view); }

  // the line on which a part of this name begins; 0 if it has none
  lineOf(name) {
    const key = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), begins = new RegExp(`^\\s+["']?${key}["']?\\s*:`);
    return this.text.split("\n").findIndex((row) => begins.test(row)) + 1;
  }

  // line and column from 1 on, as a place of the text
  place(line, column) {
    const row = this.view.state.doc.line(Math.min(Math.max(1, line), this.view.state.doc.lines));
    return { at: Math.min(row.from + Math.max(0, column - 1), row.to), row };
  }

  // an error at its place, or none: a mark beside the line, a line under the words, its text at the pointer
  mark(error) {
    const list = error && error.line ? [this.diagnostic(error)] : [];
    this.view.dispatch(CM.setDiagnostics(this.view.state, list));
    if (list.length && !this.view.hasFocus) this.view.dispatch({ effects: CM.EditorView.scrollIntoView(list[0].from, { y: "center" }) });
  }

  diagnostic({ line, column, text }) {
    const { at, row } = this.place(line, column || 1), rest = row.text.slice(at - row.from);
    const from = at + /^\s*/.exec(rest)[0].length, word = /^[^\s,{}[\]]+/.exec(row.text.slice(from - row.from));
    const to = word ? from + word[0].length : row.to;
    return { from: Math.min(from, row.to), to: Math.max(to, Math.min(from, row.to)), severity: "error", message: text };
  }

  // a line scrolled into view; the focus stays where it is
  reveal(line) { if (line) this.view.dispatch({ effects: CM.EditorView.scrollIntoView(this.place(line, 1).at, { y: "center" }) }); }

  go(line, column) {
    const { at } = this.place(line, column);
    this.view.dispatch({ selection: { anchor: at }, effects: CM.EditorView.scrollIntoView(at, { y: "center" }) });
    this.view.focus();
  }
}
