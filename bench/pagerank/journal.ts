/**
 * Generates a journal of synthetic pages and measures the cost of ranking: first of the whole journal, then
 * again after one file has been added. Four of five links stay within the host, as on the web.
 */

import { type Directory, Random, silentLog } from '../../src/base/mod.ts';
import { linkingPage } from '../../src/graph/graph.fixture.ts';
import { rankPages } from '../../src/graph/mod.ts';
import { JOURNAL_START, JournalWriter, type PageRecord } from '../../src/journal/mod.ts';
import { type CanonicalUrl, canonicalize } from '../../src/url/mod.ts';

export interface JournalSize {
  files: number;
  pagesPerFile: number;
}

export interface RankCost {
  seconds: number;
  cpuSeconds: number;
  linkCount: number;
}

const LINKS = 20;
const PAGES_PER_HOST = 50;

export async function costOfRanking(
  root: Directory,
  { files, pagesPerFile }: JournalSize,
): Promise<{ whole: RankCost; added: RankCost }> {
  const [journal, output] = [root.directory('journal'), root.directory('graph')];
  const pageCount = (files + 1) * pagesPerFile;
  const random = new Random(11);
  const writer = new JournalWriter(journal, JOURNAL_START);
  const writeFile = async (file: number) => {
    for (let page = file * pagesPerFile; page < (file + 1) * pagesPerFile; page++)
      writer.append(pageOf(page, pageCount, random));
    await writer.flush();
    writer.rotate();
  };
  for (let file = 0; file < files; file++) await writeFile(file);
  const rank = () => timed(() => rankPages({ journal, output, log: silentLog }).linkCount);
  const whole = rank();
  await writeFile(files);
  writer.close();
  return { whole, added: rank() };
}

function pageOf(number: number, pageCount: number, random: Random): PageRecord {
  const host = number - (number % PAGES_PER_HOST);
  const links = Array.from({ length: LINKS }, () => {
    const target = random.chance(0.8)
      ? host + random.below(PAGES_PER_HOST)
      : Math.floor(pageCount * random.next() ** 3);
    return { url: urlOf(target), text: `page ${target}`, nofollow: false };
  });
  return linkingPage(urlOf(number), links);
}

function urlOf(page: number): CanonicalUrl {
  return canonicalize(`https://host${Math.floor(page / PAGES_PER_HOST)}.example/page${page}`)!;
}

function timed(rank: () => number): RankCost {
  const startedAt = performance.now();
  const before = process.cpuUsage();
  const linkCount = rank();
  const { user, system } = process.cpuUsage(before);
  return { seconds: (performance.now() - startedAt) / 1000, cpuSeconds: (user + system) / 1e6, linkCount };
}
