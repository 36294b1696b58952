/**
 * The server of `gyre serve` and `gyre up`: search threads or a searcher in this thread, answer boxes, icons and
 * the archive, connected with the HTTP server and closed in the right order.
 */

export { openAnswers } from './answers.ts';
export { readablePages } from './archived-pages.ts';
export { openBrand } from './brand.ts';
export { withoutRemoved } from './kept-archive.ts';
export { standingIn } from './page-standing.ts';
export {
  describeFirstAccount,
  isLocalOnly,
  openSearching,
  type Serving,
  startServing,
} from './serve-session.ts';
