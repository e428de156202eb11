// The doors of a class: whoever is in none joins one by its code, or opens one; whoever is
// in one goes back to it, or leaves it. The front page has them, and the bar of every room.

import { joinClass, leaveClass, openClass, place, Refused } from '../source/api.js';
import { enter } from './own-room.js';
import { language, t } from '../text/language.js';
import { html, nothing } from '../lit.js';

/** @import { Room } from '../types.d.ts' */

/** Why a code lets nobody in, in the visitor's language. @param {Refused} refused */
const refusedWords = ({ code, message }) => ({
  no_such_class: t`No class has this code. Look at it again; a class that has ended has none.`,
  locked: t`This class lets nobody new in. Ask the teacher.`,
  too_fast: t`Too many wrong codes. Wait ten seconds.`,
})[code] ?? message;

export class ClassDoors {
  /** Why the last code was refused, until another is tried. */ #refused = '';
  /** The code that came with the address, or empty. */ #given = '';
  #busy = false;
  /** @type {() => void} */ #changed;
  /** @type {() => void} */ #left;

  /** @param {() => void} changed called when there is something to draw @param {() => void} left called when the visitor has left its class */
  constructor(changed, left) {
    this.#changed = changed;
    this.#left = left;
  }

  /** Follows the link of a class, as its picture has it: ?code=CODE. */
  follow() {
    const code = new URLSearchParams(location.search).get('code');
    if (!code) return;
    history.replaceState(null, '', location.pathname + location.hash);
    this.#given = code;
    void this.#join(code);
  }

  /** @param {Room | undefined} room what the server says of the visitor, here or in any room */
  view(room) {
    if (room?.inClass) return this.#insideView(room, room.inClass);
    return html`
      <form class="class-code-form" @submit=${(/** @type {SubmitEvent} */ event) => this.#submit(event)}>
        <label class="field"><span>${t`Code of a class`}</span><input class="words" name="code" required autocomplete="off" .value=${this.#given}
          autocapitalize="none" spellcheck="false" size="8" maxlength="20" aria-describedby="code-refused" aria-invalid=${String(this.#refused !== '')}></label>
        <button class="button" ?disabled=${this.#busy}>${t`Join the class`}</button>
        <p id="code-refused" class="field-error" role="alert">${this.#refused}</p>
      </form>
      ${room?.may.includes('manage') ? html`<p class="class-open"><button type="button" class="button" ?disabled=${this.#busy}
        @click=${() => this.#try(async () => enter((await openClass()).room, '#class'))}>${t`Open a class…`}</button>
        <a href="${place.lobby}teacher/${language.code}">${t`For teachers: what to say and what to click`}</a></p>` : nothing}`;
  }

  /** @param {Room} room @param {string} inClass */
  #insideView(room, inClass) {
    const here = !place.inLobby && place.room === inClass;
    return html`<p>${room.member ? t`You are a member of a class.` : t`Your class is open.`}</p>
      <p class="class-ways">${here ? nothing : html`<a class="button primary" href="${place.lobby}rooms/${inClass}">${t`Back to the class`}</a>`}
        ${here && room.own ? html`<a class="button" href="${place.lobby}rooms/${room.own}">${t`Your own room`}</a>` : nothing}
        ${room.member ? html`<button type="button" class="button" ?disabled=${this.#busy} @click=${() => this.#try(async () => { await leaveClass(); this.#left(); })}>${t`Leave the class`}</button>` : nothing}</p>
      <p class="field-error" role="alert">${this.#refused}</p>`;
  }

  /** @param {SubmitEvent} event */
  #submit(event) {
    event.preventDefault();
    void this.#join(String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get('code')));
  }

  /** @param {string} code */
  #join(code) {
    this.#given = code;
    return this.#try(async () => enter((await joinClass(code)).room));
  }

  /** Does it, or says beside the field why not. @param {() => Promise<void>} request */
  async #try(request) {
    this.#busy = true;
    this.#refused = '';
    this.#changed();
    try {
      await request();
    } catch (failure) {
      if (!(failure instanceof Refused)) throw failure;
      this.#refused = refusedWords(failure);
    }
    this.#busy = false;
    this.#changed();
  }
}
