/** crawl: what to fetch next, when that is polite, and how to lose nothing on the way. */
export { LOOPBACK } from './address-guard.ts';
export { openMarks } from './commit-marks.ts';
export type { CrawlSnapshot } from './crawl-progress.ts';
export type { CrawlCounts, CrawlState, Problem } from './crawl-state.ts';
export { Crawler, type CrawlOptions, PRODUCT_TOKEN } from './crawler.ts';
export type { Mirror, NearDuplicateOptions } from './dedup/mod.ts';
export { recordOfVerdict, type Verdict } from './findings.ts';
export { Frontier, type FrontierOptions } from './frontier.ts';
export { Gates, type HostGroup } from './gates.ts';
export { parseHostAccess } from './host-access.ts';
export { Importance } from './importance.ts';
export { documentOf, otherNames } from './names.ts';
export { NearNames, type NearNamesOptions } from './near-names.ts';
export { politeDelayMs, whyWaiting } from './politeness.ts';
export { isLocalhost } from './resolver.ts';
export { captureOfImport, type ImportedAnswer, type RevisitOptions } from './revisits.ts';
export { createRobotsOverrides, type RobotsOverrides } from './robots-overrides.ts';
export {
  parseRobots,
  type RobotsRule,
  type RobotsRules,
  type RobotsVerdict,
  robotsVerdict,
} from './robots-rules.ts';
export { hasCrawlState, openCrawlState } from './sqlite-state.ts';
export { readTraps } from './trap-notes.ts';
export { operatorRule } from './traps/mod.ts';
