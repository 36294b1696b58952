/**
 * Decides why searches find a URL or do not find it. The cause is the first fact in the path of the page, from
 * URL rule to index, that explains it.
 */
import { describeUrlReason } from '../../crawl/mod.ts';
import type { Cause, Inspection } from './inspection.ts';

type Facts = Omit<Inspection, 'cause' | 'query'>;

/** `isFound` is true if the index has the document of which the URL is an alias. */
export function causeOf(facts: Facts, isFound: boolean): Cause {
  const { removedBy, index, crawl, decision } = facts;
  if (removedBy !== null) return { code: 'removed' };
  if (index.document) return { code: 'found' };
  const outcome = crawl?.outcome;
  if (!crawl || !outcome) return causeOfUnknown(facts);
  const [alias] = crawl.chain;
  if (alias?.of)
    return {
      code: 'alias',
      of: crawl.chain.at(-1)!.of!,
      kind: alias.kind,
      isFound,
    };
  if (alias) return { code: 'not-a-page', why: alias.kind };
  if (outcome.state === 'ready') return { code: 'queued', why: crawl.host?.state ?? 'unknown' };
  if (outcome.reason.code === 'robots') return { code: 'robots', line: outcome.reason.line };
  if (outcome.reason.code === 'url-rule') return { code: 'rule', rule: outcome.reason.rule };
  // If a URL rule excludes the page from the index, the crawl records it like a page that asks not to be
  // indexed.
  if (decision.verb === 'follow' && outcome.reason.code === 'noindex')
    return { code: 'rule', rule: decision.rule };
  const why = describeUrlReason(outcome.reason);
  if (outcome.state !== 'done') return { code: outcome.state, why };
  if (crawl.last?.isDocument !== true && outcome.reason.code !== 'page') return { code: 'not-a-page', why };
  return index.waitingFiles > 0 ? { code: 'not-indexed-yet' } : { code: 'not-in-index' };
}

/**
 * Returns the cause for a URL that the crawl does not know: a rule or robots.txt excludes it, or no page links
 * to it.
 */
function causeOfUnknown({ decision, crawl }: Facts): Cause {
  if (decision.verb === 'ignore') return { code: 'rule', rule: decision.rule };
  const robots = crawl?.robots;
  if (robots?.kind === 'verdict' && robots.report.verdict === 'disallow')
    return { code: 'robots', line: robots.report.line };
  return { code: 'never-linked' };
}
