// The text of a source, with its errors and the lines at which clients are.

import { Decoration, EditorState, EditorView, HighlightStyle, indentOnInput, indentUnit, keymap, lineNumbers, minimalSetup, python, StateEffect, StateField, syntaxHighlighting, tags } from '../../lib/codemirror.js';

/** An error in a source; lines and columns count from 1. @typedef {{ line: number, column: number, text: string }} SourceError */

/** The clients that are at a line, by that. @typedef {ReadonlyMap<number, string>} Places */

/** Whole lines that are marked. @typedef {import('@codemirror/view').DecorationSet} Marks */

/** A kind of marks, which go along with the text, and the effect that replaces them. */
function marksOf() {
  /** @type {import('@codemirror/state').StateEffectType<Marks>} */ const replaced = StateEffect.define();
  const field = StateField.define({
    create: () => Decoration.none,
    update: (marks, { changes, effects }) => effects.find((effect) => effect.is(replaced))?.value ?? marks.map(changes),
    provide: (own) => EditorView.decorations.from(own),
  });
  return { field, replaced };
}

const places = marksOf();
const errors = marksOf();

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.controlKeyword, tags.operatorKeyword], fontWeight: '600' },
  { tag: tags.comment, color: 'var(--ink-soft)', fontStyle: 'italic' },
  { tag: [tags.string, tags.number, tags.bool], color: 'var(--accent)' },
]);

const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink)', backgroundColor: 'var(--surface)', fontSize: '.875rem' },
  '.cm-scroller': { overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-gutters, .cm-tooltip, .cm-panels': { color: 'var(--ink-soft)', backgroundColor: 'var(--surface)', borderColor: 'var(--line)' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'color-mix(in srgb, var(--accent) 8%, transparent)' },
  '.cm-cursor': { borderColor: 'var(--ink)' },
  '.cm-at': { backgroundColor: 'color-mix(in srgb, var(--accent) 20%, transparent)' },
  '.cm-wrong': { backgroundColor: 'color-mix(in srgb, var(--wrong) 20%, transparent)' },
  '.cm-at::after': { content: '"  ◀ " attr(data-clients)' },
});

/**
 * Puts what is typed in the place of a selection. A browser would give it the style of what it
 * replaces, in the markup, and the page's policy lets nobody do that.
 * @type {(event: InputEvent, view: EditorView) => boolean}
 */
function replaceSelection({ inputType, isComposing, data }, view) {
  if (inputType !== 'insertText' || isComposing || !data || view.state.selection.main.empty) return false;
  view.dispatch(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
  return true;
}

/** Its styles are those of a shadow tree: the page takes no others by its policy. */
export class Editor {
  /** @type {EditorView} */ #view;
  #placed = '';

  /**
   * @param {HTMLElement} host
   * @param {string} text
   * @param {string} label what the text is, for who does not see it
   * @param {{ changed: () => void, run: () => void }} actions
   */
  constructor(host, text, label, { changed, run }) {
    const root = host.attachShadow({ mode: 'open' });
    this.#view = new EditorView({ parent: root, root, state: EditorState.create({ doc: text, extensions: [
      keymap.of([{ key: 'Mod-Enter', run: () => { run(); return true; } }]),
      minimalSetup, lineNumbers(), indentOnInput(), python(), indentUnit.of('    '), syntaxHighlighting(colours), places.field, errors.field,
      EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }), theme, EditorView.domEventHandlers({ beforeinput: replaceSelection }),
      EditorView.updateListener.of(({ docChanged }) => docChanged && changed()),
    ] }) });
  }

  get text() {
    return this.#view.state.doc.toString();
  }

  set text(text) {
    this.#view.dispatch({ changes: { from: 0, to: this.#view.state.doc.length, insert: text } });
  }

  focus() {
    this.#view.focus();
  }

  /** @param {SourceError | undefined} error */
  showError(error) {
    const { doc } = this.#view.state;
    const line = error && doc.line(Math.min(error.line, doc.lines));
    this.#view.dispatch({ effects: errors.replaced.of(line ? Decoration.set([Decoration.line({ class: 'cm-wrong' }).range(line.from)]) : Decoration.none) });
    if (line) this.#view.dispatch({ effects: EditorView.scrollIntoView(Math.min(line.from + error.column - 1, line.to), { y: 'center' }) });
  }

  /** Marks the lines at which clients are. @param {Places} at */
  showPlaces(at) {
    const key = JSON.stringify([...at]);
    if (key === this.#placed) return;
    this.#placed = key;
    const { doc } = this.#view.state;
    this.#view.dispatch({ effects: places.replaced.of(Decoration.set([...at].filter(([line]) => line <= doc.lines).sort(([a], [b]) => a - b)
      .map(([line, clients]) => Decoration.line({ class: 'cm-at', attributes: { 'data-clients': clients } }).range(doc.line(line).from)))) });
  }
}
