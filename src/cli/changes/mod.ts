/** Settings of the crawl that the operator changes while the engine runs. */

export { type ChangeableConfig, openConfig } from './changed-config.ts';
export { changeSettings, readChanges } from './setting-changes.ts';
export { watchChanges } from './watch-changes.ts';
