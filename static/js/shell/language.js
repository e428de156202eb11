// The document in the visitor's language, and the switch to another one.

import { html, nothing } from '../lit.js';
import { language, languages, piecesOf, t, translated } from '../text/language.js';
import { keep } from '../ui/theme.js';

/** The attributes that people read or hear. */
const attributes = ['aria-label', 'title', 'placeholder'];
/** What is the same in every language. */
const FIXED = 'code, kbd, noscript, pre, script, style';

/** Translates what stands in the document itself. Nothing is to be done in English. */
export function translateDocument() {
  document.documentElement.lang = language.code;
  if (language === languages[0]) return;
  for (const link of document.querySelectorAll('a[href$="/en"]')) link.setAttribute('href', `${link.getAttribute('href')?.slice(0, -2)}${language.code}`); // to a document
  document.title = translated(document.title);
  translate(document.body);
}

/** @param {Element} element */
function translate(element) {
  for (const name of attributes) {
    const words = element.getAttribute(name);
    if (words) element.setAttribute(name, translated(words));
  }
  if (element.matches(FIXED)) return;
  const children = [...element.children];
  children.forEach(translate);
  const key = sentenceIn(element);
  if (key) element.replaceChildren(...piecesOf(translated(key)).flatMap((piece) => (typeof piece === 'string' ? piece : children[piece.value] ?? [])));
}

/** The sentence that stands in an element, with its children as values; empty if none does. @param {Element} element */
function sentenceIn({ childNodes }) {
  let values = 0;
  const nodes = [...childNodes];
  const words = nodes.map((node) => (node instanceof Element ? `{${++values}}` : node.textContent ?? '')).join('').replace(/\s+/g, ' ').trim();
  return nodes.some((node) => node instanceof Text && /\p{L}/u.test(node.data)) ? words : '';
}

/** The switch: each language in its own name. */
export const languageView = () => html`<div class="languages" role="group" aria-label=${t`Language`}>${languages.map(({ code, name }) => html`
    <button type="button" class="tool" lang=${code} aria-pressed=${String(code === language.code)} @click=${() => change(code)}>${name}</button>`)}</div>
  ${draftView()}`;

/** That a translation is a draft, where it is one. */
export const draftView = () => (language.draft ? html`<p class="draft">${t`This translation is a draft: no native reader has reviewed it yet.`}</p>` : nothing);

/** Shows the same page in another language. @param {string} code */
function change(code) {
  keep('language', code);
  location.reload();
}
