/** The data and the actions of the pages for site owners, for `serve/sites/`. */

export { siteTools } from './site-work.ts';
