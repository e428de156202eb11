// Which scenario goes with which lesson, where a place names only one of them.

/** @import { Place } from '../play/address.js' */
/** @import { App } from '../shell/app.js' */

/** @typedef {Pick<App, 'lessons' | 'scenario' | 'scenarios' | 'choice' | 'run'>} Course */

/** A place with a lesson and a scenario. @param {Course} course @param {Place} place @returns {Place} */
export function completed(course, place) {
  const scenario = place.scenario || course.choice.scenario;
  const lesson = place.lesson || course.scenarios.find(({ name }) => name === scenario)?.lesson || course.lessons[0]?.slug || '';
  return { ...place, lesson, scenario };
}

/** A lesson, with its scenario unless the chosen one belongs to it too. @param {Course} course @param {string} slug @returns {Place} */
export function placeOfLesson({ lessons, scenario, choice }, slug) {
  const own = lessons.find((each) => each.slug === slug)?.scenario;
  return { lesson: slug, scenario: (scenario?.lesson === slug ? choice.scenario : own) ?? choice.scenario };
}

/** A lesson, with the scenario that it begins with. @param {Pick<Course, 'lessons'>} course @param {string} slug @returns {Place} */
export function placeOfBeginning({ lessons }, slug) {
  const scenario = lessons.find((each) => each.slug === slug)?.scenario;
  return { lesson: slug, ...(scenario && { scenario }) };
}

/** What to propose beside a lesson that an address names alone: nothing else, while something runs. @param {Course} course @param {Place} place @returns {Place} */
export function proposed(course, { lesson, scenario }) {
  if (!lesson || scenario || course.run?.state === 'running') return {};
  return course.run ? placeOfLesson(course, lesson) : placeOfBeginning(course, lesson);
}

/** The chosen scenario, and the section of the lesson that explains it, if one does. @param {Course} course @returns {Place} */
export const placeOfChoice = ({ scenario, choice }) =>
  ({ ...(scenario?.lesson && { lesson: scenario.lesson }), scenario: choice.scenario, section: choice.scenario });
