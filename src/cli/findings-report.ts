/**
 * The findings of a crawl, for `gyre status`: the outcomes of its requests, mirrors, and traps with the rules
 * that would stop them.
 */

import {
  type CrawlState,
  describeUrlReason,
  documentOf,
  hasCrawlState,
  type IdentityVerdict,
  type Mirror,
  openCrawlState,
  operatorRule,
  type ReasonCount,
  readTraps,
  type UrlReason,
} from '../crawl/mod.ts';
import { domainOfOrigin, fingerprint } from '../url/mod.ts';
import { table } from './arguments.ts';
import type { DataDirectory } from './data-directory.ts';
import { counted, print } from './output.ts';

interface FindingsReport {
  /** Number of URLs that are not documents of their own, by reason. */
  doubles: Record<string, number>;
  mirrors: Mirror[];
  traps: TrapLine[];
}

interface TrapLine {
  /** Origin of the host, or name of the registrable domain, that has the trap. */
  origin: string;
  kind: string;
  pattern: string;
  /**
   * Number of URLs that were refused or replaced. For a domain with too many hosts, the number of hosts that are held
   * back.
   */
  count: number;
  example: string;
  /** The rule that an operator can add to `crawl.rules` against the trap. */
  rule: Record<string, unknown>;
  /** The setting that raises the limit; absent if the trap was not stopped by a limit. */
  lift?: string;
}

const ALIASES_PAGE = 1000;
const MAX_DOMAINS = 100;

export async function reportFindings(data: DataDirectory): Promise<FindingsReport> {
  if (!hasCrawlState(data.root)) return { doubles: {}, mirrors: [], traps: [] };
  const state = openCrawlState(data.root, { readOnly: true });
  try {
    return {
      doubles: Object.fromEntries((await state.verdictCounts()).map(({ kind, count }) => [kind, count])),
      mirrors: (await state.notes('mirror')).map(({ value }) => JSON.parse(value) as Mirror),
      traps: await trapLines(state),
    };
  } finally {
    state.close();
  }
}

/** Texts for the reasons why a URL is not a document of its own. */
const VERDICTS: Readonly<Record<string, string>> = {
  duplicate: 'same content',
  'near-duplicate': 'nearly the same content, by an earlier version',
  canonical: 'canonical link',
  mirror: 'mirror',
  redirect: 'redirect',
  'soft 404': 'soft 404',
  parked: 'parked',
};

/** Returns a text such as `1860 same content, 12 redirect`; null if every URL is a document of its own. */
export function aliasesLine(doubles: FindingsReport['doubles']): string | null {
  const counts = Object.entries(doubles).map(([kind, count]) => `${count} ${VERDICTS[kind] ?? kind}`);
  return counts.length === 0 ? null : counts.join(', ');
}

/**
 * Prints a line for each URL that is not a document of its own, with the document that it belongs to and the reason.
 */
export async function printAliases(data: DataDirectory): Promise<void> {
  if (!hasCrawlState(data.root)) return;
  const state = openCrawlState(data.root, { readOnly: true });
  try {
    for (let after: bigint | null = null; ; ) {
      const verdicts: IdentityVerdict[] = await state.verdicts(after, ALIASES_PAGE);
      for (const { url, kind, of } of verdicts)
        print(
          `${url}  ${of ? `belongs to ${await documentOf(state, of)}` : 'is no page'}: ${VERDICTS[kind] ?? kind}`,
        );
      if (verdicts.length < ALIASES_PAGE) break;
      after = fingerprint(verdicts.at(-1)!.url);
    }
  } finally {
    state.close();
  }
}

/** Texts for the outcomes of fetches, each with the reason codes that it covers. */
const ANSWERS: readonly (readonly [string, readonly UrlReason['code'][]])[] = [
  ['pages', ['page']],
  ['sitemaps and feeds', ['sitemap', 'truncated-sitemap', 'feed', 'unchanged']],
  ['redirects', ['redirect']],
  ['duplicates', ['duplicate', 'near-duplicate', 'canonical', 'mirror']],
  ['not to be indexed', ['noindex']],
  ['not found', ['gone', 'soft 404']],
  ['parked', ['parked']],
];

/**
 * Returns a text such as `521 pages, 252 sitemaps and feeds, 211 not found`. The numbers add up to the number of
 * fetched URLs.
 */
export function answersLine(answers: readonly ReasonCount[]): string {
  const told = ANSWERS.map(([words, codes]) => {
    const covered = answers.filter(({ reason }) => codes.includes(reason.code));
    const sum = covered.reduce((total, { count }) => total + count, 0);
    return sum === 0 ? [] : [`${sum} ${words}`];
  });
  const known = new Set(ANSWERS.flatMap(([, codes]) => codes));
  const others = answers
    .filter(({ reason }) => !known.has(reason.code))
    .map(({ reason, count }) => `${count} ${describeUrlReason(reason)}`);
  return [...told.flat(), ...others].join(', ') || 'nothing yet';
}

/** Prints three lines per trap: its type and origin, an example URL, and the rule that would stop it. */
export function printTraps({ mirrors, traps }: FindingsReport): void {
  if (mirrors.length > 0) {
    print(table(mirrors.map(({ mirror, of }) => [mirror, `mirror of ${of}`])).trimEnd());
  }
  if (traps.length === 0) print('no traps found');
  for (const { origin, kind, pattern, count, example, rule, lift } of traps) {
    const counts =
      kind === 'many-hosts'
        ? counted(count, 'host held back', 'hosts held back')
        : counted(count, 'address', 'addresses');
    print(`${origin}: ${kind}, ${counts} of the form ${pattern}`);
    print(`  such as ${example}`);
    print(`  rule to stop it: ${JSON.stringify(rule)}`);
    if (lift) print(`  setting that lifts the limit: ${lift}`);
  }
}

async function trapLines(state: CrawlState): Promise<TrapLine[]> {
  const lines = (await state.notes('traps')).flatMap(({ origin, value }) =>
    readTraps(value).cuts.map(({ trap, count, example }): TrapLine => {
      const { kind, pattern } = trap;
      const rule = operatorRule(origin, trap.rule);
      const lift = kind === 'open-ended' ? { lift: liftOf(domainOfOrigin(origin)) } : {};
      return { origin, kind, pattern, count, example, rule, ...lift };
    }),
  );
  return [...lines, ...(await domainLines(state))].sort((a, b) => b.count - a.count);
}

function liftOf(domain: string): string {
  return `crawl.domains ["${domain}"]`;
}

/** Returns report lines for domains that have more hosts than their budget allows. */
async function domainLines(state: CrawlState): Promise<TrapLine[]> {
  const heldBack = await state.domainsHeldBack(MAX_DOMAINS);
  return heldBack.map(({ domain: { name, hosts, admitted }, example }) => ({
    origin: name,
    kind: 'many-hosts',
    pattern: `*.${name}`,
    count: hosts - admitted,
    example,
    rule: { verb: 'ignore', domain: name },
    lift: liftOf(name),
  }));
}
