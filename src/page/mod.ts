/** page: from bytes to a `Page`. Broken markup never throws and never loops. */
export { type Link, type Mark, MarkKind, type Page, type RobotsDirectives } from './page.ts';
export type { PageInput } from './page-input.ts';
export { parsePage, readsContentType } from './parse-page.ts';
