/**
 * The operator's own hosts whose robots.txt is not fetched: an intranet that excludes all robots may still
 * want to be searched by its own engine. Politeness still applies.
 */

import { parseHostPattern } from '../../url/mod.ts';
import { RobotsMatcher } from './robots-matcher.ts';
import type { RobotsRules } from './robots-rules.ts';

/** The rules of hosts whose robots.txt is not fetched. */
export const ALLOW_ALL: RobotsRules = Object.freeze({
  rules: new RobotsMatcher(),
  crawlDelayMs: null,
  sitemaps: [],
});

export interface RobotsOverrides {
  includes(origin: string): boolean;
}

/** Throws a UsageError that names the first entry that is not a host pattern (host-patterns.ts). */
export function createRobotsOverrides(entries: readonly string[]): RobotsOverrides {
  const patterns = entries.map((entry) => parseHostPattern(entry, 'bad-override'));
  return { includes: (origin) => patterns.some((pattern) => pattern.matches(origin)) };
}
