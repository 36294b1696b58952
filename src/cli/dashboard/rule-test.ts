/** Shows which known URLs other URL rules would decide about differently. */
import { directoryAt } from '../../base/mod.ts';
import type { RuleChange, RuleTest } from '../../serve/mod.ts';
import { type CanonicalUrl, rulesOfPlan } from '../../url/mod.ts';
import { readSettings } from '../data-directory.ts';
import { urlRulesPlan } from '../sessions/crawl-session.ts';
import type { Config } from '../settings/mod.ts';

const MAX_EXAMPLES = 20;

export function compareRules(
  urls: Iterable<{ url: CanonicalUrl; depth: number }>,
  now: Config,
  then: Config,
): RuleTest {
  const seeds = readSettings(directoryAt(now.data)).seeds as CanonicalUrl[];
  const [old, other] = [now, then].map((config) => rulesOfPlan(urlRulesPlan(config, seeds)));
  const changes = new Map<string, RuleChange>();
  let known = 0;
  for (const { url, depth } of urls) {
    known++;
    const before = old!.decide(url, depth);
    const after = other!.decide(url, depth);
    if (before.verb === after.verb && before.url === after.url) continue;
    const then = before.verb === after.verb ? `fetched as another URL` : after.verb;
    const key = `${before.verb} ${then}`;
    const change = changes.get(key) ?? { before: before.verb, after: then, count: 0, examples: [] };
    changes.set(key, change);
    change.count++;
    if (change.examples.length < MAX_EXAMPLES) change.examples.push({ url, rule: after.rule });
  }
  return { known, changes: [...changes.values()].sort((a, b) => b.count - a.count) };
}
