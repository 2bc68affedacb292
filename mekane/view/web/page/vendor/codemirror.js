// What the studio takes of CodeMirror; bundled as README.md says.
export { Annotation, EditorState, Transaction } from "@codemirror/state";
export { EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
export { defaultKeymap, history, historyKeymap, indentLess, indentMore, redo, undo } from "@codemirror/commands";
export { HighlightStyle, bracketMatching, indentUnit, syntaxHighlighting } from "@codemirror/language";
export { acceptCompletion, autocompletion, completionKeymap, completionStatus, currentCompletions, startCompletion } from "@codemirror/autocomplete";
export { lintGutter, setDiagnostics } from "@codemirror/lint";
export { searchKeymap } from "@codemirror/search";
export { yaml } from "@codemirror/lang-yaml";
export { tags } from "@lezer/highlight";
