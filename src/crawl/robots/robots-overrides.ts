/**
 * Hosts of the operator whose robots.txt is ignored. For example, an intranet that excludes all robots may still be
 * searched by its own engine. Politeness still applies.
 */

import { parseHostPattern } from '../../url/mod.ts';
import { RobotsMatcher } from './robots-matcher.ts';
import type { RobotsRules } from './robots-rules.ts';

/** Rules that allow everything, for hosts whose robots.txt is not fetched. */
export const ALLOW_ALL: RobotsRules = Object.freeze({
  rules: new RobotsMatcher(),
  crawlDelayMs: null,
  sitemaps: [],
});

export interface RobotsOverrides {
  includes(origin: string): boolean;
}

/** Parses host patterns (host-patterns.ts). Throws a UsageError that names the first invalid entry. */
export function createRobotsOverrides(entries: readonly string[]): RobotsOverrides {
  const patterns = entries.map((entry) => parseHostPattern(entry, 'bad-override'));
  return { includes: (origin) => patterns.some((pattern) => pattern.matches(origin)) };
}
