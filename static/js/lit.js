// The one place that knows where the templates come from.
export { html, keyed, nothing, render, repeat, svg } from '../lib/lit-html.js';
