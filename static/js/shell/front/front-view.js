// What the front page shows: what this is, one thing to run, and the doors to everything else.

import { html, nothing } from '../../lit.js';
import { language, parts, t } from '../../text/language.js';
import { place } from '../../source/api.js';
import { languageView } from '../language.js';
import { sketchesView } from '../welcome-view.js';

/** @import { LessonEntry, Scenario, ZooKeeper } from '../../types.d.ts' */
/** @import { GoOn } from './go-on.js' */

/**
 * @typedef {object} Front
 * @property {Scenario | undefined} scenario that the big button runs
 * @property {boolean} reads a lesson stands beside the page
 * @property {HTMLElement | null} card of that lesson, with the settings that the scenario has there
 * @property {LessonEntry[]} lessons in the order of the course
 * @property {boolean} asked it is known where the visitor was; until then no door is shown that another would replace
 * @property {GoOn | undefined} before where the visitor was
 * @property {unknown} doors of a class
 * @property {boolean} starting
 * @property {string} notice what went wrong
 */

/**
 * @typedef {object} FrontActions
 * @property {() => void} run
 * @property {() => void} tour
 * @property {() => void} write a lock of one's own
 */

/** @param {Front} front @param {FrontActions} actions */
export const frontView = (front, actions) => html`
  ${heroView(front, actions)}
  ${front.notice ? html`<p class="alert bad" role="alert">${front.notice}</p>` : nothing}
  <div class="front-doors">
    ${front.asked ? html`${front.before ? goOnView(front.before) : courseView(front)}
    <section class="front-door" aria-labelledby="door-class"><h3 id="door-class">${t`In a class`}</h3>${front.doors}</section>` : nothing}
  </div>
  <footer class="front-foot">${languageView()}</footer>`;

/** @param {Front} front @param {FrontActions} actions */
function heroView({ scenario, reads, card, starting }, { run, tour, write }) {
  const runButton = html`<button type="button" class="button large ${reads ? 'primary' : ''}" ?disabled=${!scenario || starting} @click=${run}>${starting ? t`Starting…` : runWords(scenario, reads)}</button>`;
  const newButton = html`<button type="button" class="button large ${reads ? '' : 'primary'}" ?disabled=${starting} @click=${tour}>${t`New here? Three minutes`}</button>`;
  return html`<section class="front-hero">
    <h2>${reads && scenario ? card?.querySelector('h3')?.textContent ?? scenario.title : t`See how distributed locks work, and how they break`}</h2>
    <p>${reads && scenario ? card?.querySelector('p')?.textContent ?? scenario.summary : t`Simulated clients contend for a lock on a real ZooKeeper, and every message between them is drawn as it is sent. Watch it, pause it, break it.`}</p>
    <p class="front-starts">${reads ? [runButton, newButton] : [newButton, runButton]} <button type="button" class="button large" ?disabled=${starting} @click=${write}>${t`Your own lock`}</button></p>
    ${reads ? nothing : html`<h3 class="front-question">${t`One lock is released. Who wakes up?`}</h3>${sketchesView()}`}
  </section>`;
}

/** @param {Scenario | undefined} scenario @param {boolean} reads */
const runWords = (scenario, reads) => (reads || !scenario ? t`Run this scenario` : t`Run ${scenario.title.toLowerCase()}`);

/** The course, for who has not begun it. @param {Front} front */
const courseView = ({ lessons }) => html`<section class="front-door" aria-labelledby="door-course">
  <h3 id="door-course">${t`The course`}</h3>
  <p>${t`${lessons.length} lesson, from a znode to a lock in your own program. What you do is judged by what really happened.|${lessons.length} lessons, from a znode to a lock in your own program. What you do is judged by what really happened.`}</p>
  <p class="front-ways">${lessons[0] ? html`<a class="button" href="#lesson=${lessons[0].slug}">${t`Lesson ${1}: ${lessons[0].title}`}</a>` : nothing} ${mapView()}</p>
</section>`;

/** @param {GoOn} before */
const goOnView = ({ room, run, running, lesson, met, goals }) => html`<section class="front-door" aria-labelledby="door-on">
  <h3 id="door-on">${t`Go on where you were`}</h3>
  ${run ? html`<p>${running ? parts`In your own room ${html`<strong>${run}</strong>`} is running.` : parts`In your own room ${html`<strong>${run}</strong>`} was run last.`}</p>` : nothing}
  ${met && goals ? html`<p>${t`Goals met: ${met} of ${goals}.`}</p>` : nothing}
  <p class="front-ways">
    ${room ? html`<a class="button" href="${place.lobby}rooms/${room}">${t`Your own room`}</a>` : nothing}
    ${lesson ? html`<a class="button" href="${room ? `${place.lobby}rooms/${room}` : ''}#lesson=${lesson.slug}">${lesson.title}</a>` : nothing}
    ${mapView()}</p>
</section>`;

const mapView = () => html`<a href="${place.lobby}lessons/${language.code}">${t`Map of the course`}</a>`;

/** How ZooKeeper is. @param {ZooKeeper | undefined} zookeeper */
export function healthView(zookeeper) {
  if (!zookeeper) return nothing;
  const name = `ZooKeeper ${zookeeper.version ?? ''}`.trim();
  const live = zookeeper.state === 'live';
  return html`<span class="badge ${live ? 'good' : 'bad'}">${live ? t`${name} live` : t`${name} unreachable`}</span>`;
}
