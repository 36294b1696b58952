/**
 * Checks pairs of pages that the engine has joined as duplicates: are they the same page to a person?
 *
 *   duplicate        the crawl made one an alias of the other, because their contents are equal
 *   near-duplicate   a result lists one as similar to the other; the queries are titles that several pages have
 *
 * Two pages are the same if their titles, their first headings and their languages are equal, and their main
 * texts share at least SAME_CONTENT of their runs of four words. Section numbers in titles and headings do not
 * count. The name of the site at the end of a title does not count if the pages are on different hosts.
 * Declared languages do not count if the texts share at least EQUAL_CONTENT of these runs, because untranslated
 * pages often declare the language of their translation. The pages are read from the archive by another parser
 * than the engine's.
 */
import { Random } from '../../src/base/mod.ts';
import type { ArchivedPages } from './archived-pages.ts';
import type { EngineServer } from './engine.ts';
import type { Outline } from './html-outline.ts';
import type { UrlOutcome } from './journal-outcomes.ts';
import { plainQuery } from './lost-pages.ts';
import { sampleOf } from './sample.ts';

export interface DuplicateReport {
  rows: DuplicateRow[];
  /** The first checked pairs that are not the same page. */
  wrong: WrongPair[];
}

export interface DuplicateRow {
  name: string;
  pairs: number;
  checked: number;
  /**
   * The share of the checked pairs that are the same page. In the row `all` this is the mean of the other rows,
   * weighted by their `pairs`.
   */
  same: number;
}

export interface WrongPair {
  alias: string;
  document: string;
  reason: string;
  /** The differences between the two pages that a person sees. */
  differences: string[];
}

interface Pair {
  alias: string;
  document: string;
}

/**
 * The reasons for joining pages, in the order of the rows. A reason that joins fewer different pages by mistake
 * comes first.
 */
const REASONS = ['duplicate', 'near-duplicate'] as const;
const SAME_CONTENT = 0.8;
const EQUAL_CONTENT = 0.95;
const RUN_WORDS = 4;
const LISTED = 20;
const MAX_ALIASES = 10;
const SITE_NAME = /\s[-–—|·]\s[^-–—|·]{1,60}$/;
/** Matches the number in titles such as `C.3. Commands` and `12.1 Files`. */
const SECTION_NUMBER = /^(?:[A-Z]|\d+)(?:\.\d+)+\.?\s+/;

export async function checkDuplicates(
  server: EngineServer,
  pages: ArchivedPages,
  outcomes: ReadonlyMap<string, UrlOutcome>,
  sampleSize: number,
  seed: number,
): Promise<DuplicateReport> {
  const joined = {
    duplicate: aliasPairs(outcomes),
    'near-duplicate': await collapsedPairs(server, outcomes, sampleSize, seed),
  };
  const wrong: WrongPair[] = [];
  const rows = REASONS.map((reason): DuplicateRow => {
    const pairs = joined[reason];
    const sample = sampleOf(pairs, sampleSize, new Random(seed));
    let same = 0;
    for (const pair of sample) {
      const isSameHost = hostOf(pair.alias) === hostOf(pair.document);
      const differences = differencesOf(pages.outline(pair.alias), pages.outline(pair.document), isSameHost);
      if (differences.length === 0) same++;
      else wrong.push({ ...pair, reason, differences });
    }
    return { name: reason, pairs: pairs.length, checked: sample.length, same: shareOf(same, sample.length) };
  });
  return { rows: [...rows, totalOf(rows)], wrong: wrong.slice(0, LISTED) };
}

function aliasPairs(outcomes: ReadonlyMap<string, UrlOutcome>): Pair[] {
  return [...outcomes].flatMap(([url, outcome]) =>
    outcome.kind === 'alias' && outcome.reason === 'duplicate'
      ? [{ alias: url, document: documentOf(outcomes, outcome.of) }]
      : [],
  );
}

/**
 * Searches for a sample of the titles that several pages have. Returns the pairs of pages that a result lists
 * as similar.
 */
async function collapsedPairs(
  server: EngineServer,
  outcomes: ReadonlyMap<string, UrlOutcome>,
  sampleSize: number,
  seed: number,
): Promise<Pair[]> {
  const titles = [...outcomes.values()].flatMap((outcome) => (outcome.kind === 'page' ? outcome.title : []));
  const shared = [...Map.groupBy(titles, (title) => title)].flatMap(([title, pages]) =>
    pages.length > 1 && /\p{L}/u.test(title) ? plainQuery(title) : [],
  );
  const pairs = new Map<string, Pair>();
  for (const title of sampleOf(shared, sampleSize, new Random(seed))) {
    for (const { url: document, similar = [] } of (await server.search(title)).results)
      for (const alias of similar) pairs.set(`${document} ${alias}`, { alias, document });
  }
  return [...pairs.values()];
}

/** Follows a chain of aliases to its document. */
function documentOf(outcomes: ReadonlyMap<string, UrlOutcome>, url: string): string {
  for (let step = 0; step < MAX_ALIASES; step++) {
    const outcome = outcomes.get(url);
    if (outcome?.kind !== 'alias') break;
    url = outcome.of;
  }
  return url;
}

function totalOf(rows: readonly DuplicateRow[]): DuplicateRow {
  const sum = (value: (row: DuplicateRow) => number) => rows.reduce((total, row) => total + value(row), 0);
  const pairs = sum((row) => row.pairs);
  const same = pairs === 0 ? 1 : sum((row) => row.same * row.pairs) / pairs;
  return { name: 'all', pairs, checked: sum((row) => row.checked), same };
}

/** Returns the share of a sample; 1 for an empty sample, because no pair in it is wrong. */
function shareOf(part: number, whole: number): number {
  return whole === 0 ? 1 : part / whole;
}

function hostOf(url: string): string {
  return new URL(url).host;
}

export function differencesOf(a: Outline | null, b: Outline | null, isSameHost: boolean): string[] {
  if (!a || !b) return ['not in the archive'];
  const titleOf = ({ title }: Outline) => heading(isSameHost ? title : title.replace(SITE_NAME, ''));
  const content = jaccard(runsOf(a.mainText), runsOf(b.mainText));
  return [
    ...(titleOf(a) === titleOf(b) ? [] : [`title "${a.title}" and "${b.title}"`]),
    ...(heading(a.h1) === heading(b.h1) ? [] : [`heading "${a.h1}" and "${b.h1}"`]),
    ...(isOtherLanguage(a.language, b.language) && content < EQUAL_CONTENT
      ? [`language ${a.language} and ${b.language}`]
      : []),
    ...(content >= SAME_CONTENT ? [] : [`content ${content.toFixed(2)} alike`]),
  ];
}

function heading(text: string): string {
  return text
    .replace(SECTION_NUMBER, '')
    .replace(/[\s¶]+/g, ' ')
    .trim()
    .toLowerCase();
}

/**
 * Returns true if two language tags are different languages. `en` and `en-gb` count as the same language. An
 * unknown language is never counted as different.
 */
function isOtherLanguage(a: string, b: string): boolean {
  const [first] = a.split('-');
  const [second] = b.split('-');
  return first !== '' && second !== '' && first !== second;
}

function runsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const last = Math.max(0, words.length - RUN_WORDS);
  const starts = Array.from({ length: words.length === 0 ? 0 : last + 1 }, (_, at) => at);
  return new Set(starts.map((at) => words.slice(at, at + RUN_WORDS).join(' ')));
}

function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((run) => b.has(run)).length;
  const union = a.size + b.size - shared;
  return union === 0 ? 1 : shared / union;
}
