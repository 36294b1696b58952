/** Formats the rule of a trap for the operator's `crawl.rules`. */
import type { TrapRule } from './trap.ts';
import { escapePattern } from './url-shape.ts';

/**
 * Returns the rule of a trap as JSON for `crawl.rules`. The rule of a trap applies only within its host, so the host
 * is added.
 */
export function operatorRule(origin: string, rule: TrapRule): Record<string, unknown> {
  const host = origin.replace(/^https?:\/\//, '');
  if (rule.verb === 'strip') return { host, query: { strip: [rule.parameter.replace(/^;/, '')] } };
  const { verb, match, value } = rule;
  if (match === 'prefix') return { verb, prefix: origin + value };
  // A pattern in `crawl.rules` is matched with the whole URL. The pattern of a trap begins at the path, so the origin
  // is added in front.
  if (value.startsWith('^')) return { verb, pattern: `^${escapePattern(origin)}${value.slice(1)}` };
  return { verb, host, pattern: value };
}
