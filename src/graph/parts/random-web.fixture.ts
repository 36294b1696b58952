/** Random journals of several writers, for tests that compare rankings of the same web. */
import type { Directory, Random } from '../../base/mod.ts';
import { JOURNAL_START, type JournalRecord, JournalWriter } from '../../journal/mod.ts';
import { type CanonicalUrl, canonicalize } from '../../url/mod.ts';
import { linkingPage } from '../graph.fixture.ts';

export const WRITERS = ['alpha', 'beta', 'gamma'];

/**
 * Writes journals with pages, aliases, canonical links within and between hosts, cycles of aliases, removed pages,
 * repeated fetches, menus, and links to pages that were not crawled. Returns all URLs in them.
 */
export async function writeRandomWeb(
  journal: Directory,
  random: Random,
  hostCount: number,
): Promise<CanonicalUrl[]> {
  const urls = randomUrls(random, hostCount);
  const anyUrl = () => urls[Math.floor(urls.length * random.next() ** 2)]!;
  const recordOf = (url: CanonicalUrl, fetchedAt: number): JournalRecord => {
    if (random.chance(0.08)) return { kind: 'alias', url, fetchedAt, of: anyUrl(), reason: 'duplicate' };
    if (random.chance(0.03)) return { kind: 'gone', url, fetchedAt, status: 404 };
    const menu = random.chance(0.7) ? urls.filter((each) => sameHost(each, url)).slice(0, 3) : [];
    const targets = [...menu, ...Array.from({ length: random.below(9) }, anyUrl)];
    const links = targets.map((target) => ({
      url: target,
      text: random.chance(0.8) ? random.pick(['Home', 'home', 'the manual', 'more', 'Next page']) : '',
      nofollow: random.chance(0.05),
    }));
    return { ...linkingPage(url, links, random.chance(0.1) ? { canonical: anyUrl() } : {}), fetchedAt };
  };
  const writers = WRITERS.map((writer) => new JournalWriter(journal, JOURNAL_START, { writer }));
  for (const writer of writers) {
    for (let file = 0; file < 3; file++) {
      for (const url of urls) if (random.chance(0.2)) writer.append(recordOf(url, random.below(1000)));
      await writer.flush();
      writer.rotate();
    }
    writer.close();
  }
  return urls;
}

function randomUrls(random: Random, hostCount: number): CanonicalUrl[] {
  const urls: CanonicalUrl[] = [];
  for (let host = 0; host < hostCount; host++) {
    const name = random.chance(0.3) ? `sub${host}.shared.example` : `host${host}.example`;
    const pages = random.chance(0.2) ? random.between(10, 40) : random.between(1, 6);
    for (let page = 0; page < pages; page++) urls.push(canonicalize(`https://${name}/${page || ''}`)!);
  }
  return urls;
}

function sameHost(one: CanonicalUrl, other: CanonicalUrl): boolean {
  return new URL(one).host === new URL(other).host;
}
