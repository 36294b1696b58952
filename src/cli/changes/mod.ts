/** What the operator changes while the engine runs: settings of the crawl, and hosts to be fetched again. */

export { type ChangeableConfig, openConfig } from './changed-config.ts';
export { requestCrawl, takeCrawlRequests } from './crawl-requests.ts';
export { changeSettings, readChanges } from './setting-changes.ts';
export { watchChanges } from './watch-changes.ts';
