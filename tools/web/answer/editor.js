// The editor of an answer: CodeMirror with Python, made into one file when the site is built.

import { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory } from "@codemirror/commands";
import { pythonLanguage } from "@codemirror/lang-python";
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { EditorState, Prec, RangeSetBuilder } from "@codemirror/state";
import { Decoration, EditorView, ViewPlugin, keymap, lineNumbers } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";

/** What a wrapped line goes on with stands further in than its beginning: the style sheet knows where that is. */
const inward = ViewPlugin.fromClass(
  class {
    constructor(view) {
      this.update({ docChanged: true, view });
    }

    update({ docChanged, viewportChanged, view }) {
      if (!docChanged && !viewportChanged) return;
      const builder = new RangeSetBuilder();
      for (const { from, to } of view.visibleRanges) {
        for (let at = from; at <= to; ) {
          const line = view.state.doc.lineAt(at);
          const style = `--in:${line.text.search(/\S|$/)}`;
          builder.add(line.from, line.from, Decoration.line({ attributes: { style } }));
          at = line.to + 1;
        }
      }
      this.decorations = builder.finish();
    }
  },
  { decorations: (one) => one.decorations },
);

/** Puts an editor in the place of a text field, with its text, its selection and its focus. */
export function edit(field, { changed, check, next }) {
  const label = field.labels[0], focused = document.activeElement === field;
  const keys = [{ key: "Mod-Enter", run: () => (check(), true) }];
  if (next) keys.push({ key: "Shift-Enter", run: () => (next(), true) });
  const view = new EditorView({
    doc: field.value,
    selection: { anchor: field.selectionStart, head: field.selectionEnd },
    extensions: [
      Prec.highest(keymap.of(keys)), keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]), history(),
      pythonLanguage, syntaxHighlighting(classHighlighter), indentUnit.of("    "), EditorState.tabSize.of(4),
      indentOnInput(), bracketMatching(), lineNumbers(), EditorView.lineWrapping, inward,
      EditorView.contentAttributes.of({ "aria-label": label.textContent, "aria-describedby": field.getAttribute("aria-describedby") ?? "answer-keys" }),
      EditorView.updateListener.of((update) => update.docChanged && changed()),
    ],
  });
  field.hidden = true;
  field.before(view.dom);
  label.addEventListener("click", () => view.focus());
  if (focused) view.focus();
  return {
    get text() {
      return view.state.doc.toString();
    },
    set text(insert) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert }, annotations: isolateHistory.of("full") });
    },
    focus: () => view.focus(),
  };
}
