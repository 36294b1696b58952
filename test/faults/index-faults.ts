/**
 * A build, a rank run and a merge on a disk that fails: index, manifest, lexicons, link graph, ranks, phrases and
 * synonyms. The directory already has an index and ranks of the first half of the journal.
 */
import { type Directory, openDirectory, silentLog, systemClock } from '../../src/base/mod.ts';
import { goneRecord, liveTexts, pageRecord, urlOf, writeJournal } from '../../src/build/journal.fixture.ts';
import { buildIndex } from '../../src/build/mod.ts';
import { openData } from '../../src/cli/data-directory.ts';
import { rankOnce } from '../../src/cli/sessions/index-session.ts';
import type { JournalRecord } from '../../src/journal/mod.ts';
import { openSearcher } from '../../src/query/mod.ts';
import type { Workload } from './fault-campaign.ts';

const PAGES = 12;
const QUERIES = ['page', 'lighthouse', 'changed', 'page3', 'link:example.org/p1', '"some words"'];

/** The bytes of the index that a clean rebuild has, as what searches return. */
let clean: { path: string; answers: string } | null = null;

export const indexWorkload: Workload = {
  name: 'index',
  prepare: async (path) => {
    const { journal } = openData(path);
    await writeJournal(journal, [records(0, PAGES)]);
    await buildAndRank(path);
    await writeJournal(journal, [
      [...records(0, 2, 'changed'), goneRecord('p2')],
      records(PAGES, PAGES + 3),
      records(PAGES + 3, PAGES + 5),
    ]);
  },
  run: async (path) => {
    const { journal, index } = openData(path);
    // One segment for each document, so that segments are merged too.
    await buildIndex({ journal, index, ranks: null, log: silentLog, flushBytes: 1 });
    rankOnce(openData(path), silentLog, { threads: 1 });
  },
  broken: async (path) => {
    const kept = Array.from({ length: PAGES - 3 }, (_, n) => `unique${n + 3}`);
    const found = await foundCounts(openData(path).index.path, kept);
    const broken = kept
      .filter((word) => found.get(word) !== 1)
      .map((word) => `${word} is found ${found.get(word)} times before the next build`);
    await buildAndRank(path);
    const expected = await cleanAnswers(path);
    const answers = await answersOf(openData(path));
    if (answers !== expected)
      broken.push(`searches differ from a clean rebuild: ${answers}, not ${expected}`);
    return broken;
  },
};

/** Builds the index of a data directory and returns its directory. */
export async function indexOf(path: string): Promise<Directory> {
  const { journal, index } = openData(path);
  await buildIndex({ journal, index, ranks: null, log: silentLog });
  return index;
}

/** Returns how many documents a search for each word finds. */
export async function foundCounts(index: string, words: readonly string[]): Promise<Map<string, number>> {
  const searcher = openSearcher(openDirectory(index), { log: silentLog, clock: systemClock });
  const counts = new Map<string, number>();
  for (const word of words) {
    const { results } = await searcher.search({ query: word, offset: 0, limit: 5 });
    counts.set(word, results.length);
  }
  searcher.close();
  return counts;
}

function records(from: number, to: number, mark = 'first'): JournalRecord[] {
  return Array.from({ length: to - from }, (_, i) => {
    const n = from + i;
    const links = [(n + 1) % PAGES, (n * 5) % PAGES].map((to) => ({
      url: urlOf(`p${to}`),
      text: `page${to} there`,
    }));
    const text = `Page page${n} with some words about a lighthouse, ${mark} unique${n}.`;
    const record = pageRecord(`p${n}`, text, { links } as never);
    return {
      ...record,
      fetchedAt: record.kind === 'page' && mark === 'changed' ? record.fetchedAt + 1 : record.fetchedAt,
    };
  });
}

async function buildAndRank(path: string): Promise<void> {
  await indexOf(path);
  rankOnce(openData(path), silentLog, { threads: 1 });
}

async function cleanAnswers(path: string): Promise<string> {
  if (!clean) {
    const target = `${path}-clean`;
    const { journal } = openData(path);
    const data = openData(target);
    for (const name of journal.list()) data.journal.replace(name, journal.read(name));
    await buildAndRank(target);
    clean = { path: target, answers: await answersOf(data) };
  }
  return clean.answers;
}

async function answersOf({ index }: { index: Directory }): Promise<string> {
  const searcher = openSearcher(index, { log: silentLog, clock: systemClock });
  const lines = [`documents: ${liveTexts(index).join('; ')}`];
  for (const query of QUERIES) {
    const { total, results } = await searcher.search({ query, offset: 0, limit: 50 });
    lines.push(`${query}: ${total} ${results.map(({ url }) => url).join(' ')}`);
  }
  searcher.close();
  return lines.join('\n');
}
