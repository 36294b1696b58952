/**
 * What a crawl has found out, for `gyre status`: what came of its requests, mirrors, and traps with the rules against
 * them.
 */
import {
  type CrawlState,
  hasCrawlState,
  type Mirror,
  openCrawlState,
  operatorRule,
  type Problem,
  readTraps,
} from '../crawl/mod.ts';
import { table } from './arguments.ts';
import type { DataDirectory } from './data-directory.ts';
import { counted, print } from './output.ts';

export interface FindingsReport {
  /** How many URLs are no document of their own, by reason. */
  doubles: Record<string, number>;
  mirrors: Mirror[];
  traps: TrapLine[];
}

export interface TrapLine {
  origin: string;
  kind: string;
  pattern: string;
  /** Addresses that were refused or replaced. */
  count: number;
  example: string;
  /** For `crawl.rules`. */
  rule: Record<string, unknown>;
}

export function reportFindings(data: DataDirectory): FindingsReport {
  if (!hasCrawlState(data.root)) return { doubles: {}, mirrors: [], traps: [] };
  const state = openCrawlState(data.root, { readOnly: true });
  try {
    const { findings } = state;
    return {
      doubles: Object.fromEntries(findings.verdictCounts().map(({ kind, count }) => [kind, count])),
      mirrors: findings.notes('mirror').map(({ value }) => JSON.parse(value) as Mirror),
      traps: trapLines(state),
    };
  } finally {
    state.close();
  }
}

/** What fetched URLs turned out to be, in words for people, and the reasons that each stands for. */
const ANSWERS: readonly (readonly [string, readonly string[]])[] = [
  ['pages', ['page']],
  ['sitemaps and feeds', ['sitemap', 'feed', 'unchanged']],
  ['redirects', ['redirect']],
  ['duplicates', ['duplicate', 'near-duplicate', 'canonical', 'mirror']],
  ['not to be indexed', ['noindex']],
  ['not found', ['gone', 'soft 404']],
  ['parked', ['parked']],
];

/** `521 pages, 252 sitemaps and feeds, 211 not found`: the numbers add up to the URLs that were fetched. */
export function answersLine(answers: readonly Problem[]): string {
  const counts = new Map(answers.map(({ reason, count }) => [reason, count]));
  const told = ANSWERS.map(([words, reasons]) => {
    const sum = reasons.reduce((total, reason) => total + (counts.get(reason) ?? 0), 0);
    for (const reason of reasons) counts.delete(reason);
    return sum === 0 ? [] : [`${sum} ${words}`];
  });
  const others = [...counts].map(([reason, count]) => `${count} ${reason}`);
  return [...told.flat(), ...others].join(', ') || 'nothing yet';
}

/** A trap takes three lines: what and where, an address, and the rule that would stop it. */
export function printTraps({ mirrors, traps }: FindingsReport): void {
  if (mirrors.length > 0) {
    print(table(mirrors.map(({ mirror, of }) => [mirror, `mirror of ${of}`])).trimEnd());
  }
  if (traps.length === 0) print('no traps found');
  for (const { origin, kind, pattern, count, example, rule } of traps) {
    print(`${origin}: ${kind}, ${counted(count, 'address', 'addresses')} of the form ${pattern}`);
    print(`  such as ${example}`);
    print(`  rule to stop it: ${JSON.stringify(rule)}`);
  }
}

function trapLines({ findings }: CrawlState): TrapLine[] {
  const lines = findings.notes('traps').flatMap(({ origin, value }) =>
    readTraps(value).cuts.map(({ trap, count, example }): TrapLine => {
      const { kind, pattern } = trap;
      return { origin, kind, pattern, count, example, rule: operatorRule(origin, trap.rule) };
    }),
  );
  return lines.sort((a, b) => b.count - a.count);
}
