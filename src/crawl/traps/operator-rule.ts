/** The rule of a trap as an operator would write it into `crawl.rules`. */
import type { TrapRule } from './trap.ts';
import { escapePattern } from './url-shape.ts';

/** JSON for `crawl.rules`; a trap says where it is within a host, and a rule also on which. */
export function operatorRule(origin: string, rule: TrapRule): Record<string, unknown> {
  const host = origin.replace(/^https?:\/\//, '');
  if (rule.verb === 'strip') return { host, query: { strip: [rule.parameter.replace(/^;/, '')] } };
  const { verb, match, value } = rule;
  if (match === 'prefix') return { verb, prefix: origin + value };
  // A pattern is matched with the whole address, and this one may begin where the path does.
  if (value.startsWith('^')) return { verb, pattern: `^${escapePattern(origin)}${value.slice(1)}` };
  return { verb, host, pattern: value };
}
