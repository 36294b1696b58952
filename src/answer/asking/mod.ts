/**
 * Asks every answer box about a query and takes the answers that arrive within the time budget. If a box
 * fails or is slow, only its answer is missing. The boxes are in `computed/`, `crawled/` and `remote/`.
 */

export { Answerer } from './answerer.ts';
export { cutText, folded, isName, isSameName, withoutSite } from './names.ts';
export { isAbout, type Subject, subjectsOf } from './subjects.ts';
