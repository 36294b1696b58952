/**
 * The crawl state in PostgreSQL. A state has all vnodes of its node. A commit is one transaction of about twenty
 * statements, however many rows it has.
 */

export { PostgresCrawlState } from './postgres-crawl-state.ts';
export { reserveSketches } from './sketch-numbers.ts';
export { applyClusterRemovals, findRemovedKeys } from './removed-rows.ts';
