// Where the visitor is in the course: the page's address has the lesson and the scenario,
// and the page shows them.

import { goTo, readMoment, readPlace } from '../play/address.js';

/** @import { App } from './app.js' */
/** @import { LessonPanel } from '../lesson/panel.js' */
/** @import { Player } from './player.js' */
/** @import { Recordings } from './open-recording.js' */

export class Visit {
  /** @type {App} */ #app;
  /** @type {LessonPanel} */ #lesson;

  /** @param {App} app @param {LessonPanel} lesson */
  constructor(app, lesson) {
    this.#app = app;
    this.#lesson = lesson;
  }

  /** Turns to a lesson, and to its scenario unless the chosen one belongs to it too. @param {string} slug */
  lesson(slug) {
    const { lessons, scenario, choice } = this.#app;
    const entry = lessons.find((each) => each.slug === slug);
    goTo({ lesson: slug, scenario: (scenario?.lesson === slug ? choice.scenario : entry?.scenario) ?? choice.scenario }, false);
    this.follow();
  }

  /** Turns to a scenario, and to the lesson that explains it. @param {string} scenario */
  scenario(scenario) {
    goTo({ lesson: this.#app.scenario?.lesson || readPlace(location.hash).lesson, scenario }, false);
    this.follow(scenario);
  }

  /** Takes up the scenario of a run that somebody else has started; who reads goes on reading. */
  takeUpRun() {
    goTo({ ...readPlace(location.hash), scenario: this.#app.choice.scenario }, true);
  }

  /** Who comes without a wish gets what runs, and the lesson that explains that. */
  joinRun() {
    const { scenario, choice } = this.#app;
    if (!scenario?.lesson) return;
    goTo({ lesson: scenario.lesson, scenario: choice.scenario }, true);
    this.follow(choice.scenario);
  }

  /** Shows what the page's address asks for: a place, and perhaps a moment of a run. @param {Player} player @param {Recordings} recordings @param {string} [hash] */
  address(player, recordings, hash = location.hash) {
    const moment = readMoment(hash);
    this.follow();
    if (!moment) return;
    player.views.stand(moment.panel);
    void import('./moments.js').then(({ goToMoment }) => goToMoment(moment, this.#app, recordings)).then((there) => there && player.choose(moment.subject));
  }

  /** Shows the lesson and the scenario that the page's address asks for. @param {string} [section] the scenario to whose section the lesson is turned */
  follow(section) {
    const place = readPlace(location.hash);
    const first = this.#app.lessons.toSorted((a, b) => a.order - b.order)[0];
    const slug = place.lesson || this.#app.scenario?.lesson || first?.slug || '';
    void this.#lesson.show(slug, section);
    if (place.scenario && place.scenario !== this.#app.choice.scenario) this.#app.pick(place.scenario);
    goTo({ lesson: slug, scenario: place.scenario || this.#app.choice.scenario }, true);
  }
}
