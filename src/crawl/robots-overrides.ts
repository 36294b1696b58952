/**
 * Hosts of the operator's own whose robots.txt is not asked for: an intranet that keeps strangers out
 * may still want to be searched by its own engine. Politeness is not touched by it.
 */
import { parseHostPattern } from './host-patterns.ts';
import type { RobotsRules } from './robots-rules.ts';

/** What holds where robots.txt is not asked for. */
export const ALLOW_ALL: RobotsRules = Object.freeze({ rules: [], crawlDelayMs: null, sitemaps: [] });

export interface RobotsOverrides {
  includes(origin: string): boolean;
}

/** Throws a UsageError that names the entry which is no host (host-patterns.ts). */
export function createRobotsOverrides(entries: readonly string[]): RobotsOverrides {
  const patterns = entries.map((entry) => parseHostPattern(entry, 'bad-override'));
  return { includes: (origin) => patterns.some((pattern) => pattern.matches(origin)) };
}
