// The one place that knows where the templates come from.
export { html, live, nothing, render, repeat, svg } from '../lib/lit-html.js';
