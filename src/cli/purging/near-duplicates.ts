/** Finds documents that a removal leaves in the index although they have nearly the same content. */
import { type Directory, silentLog } from '../../base/mod.ts';
import { IndexReader } from '../../index/mod.ts';
import { findNearDuplicates } from '../../query/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import { type RemovalTarget, RemovedUrls } from '../removals/mod.ts';

/** Maximum number of near duplicates that are named. */
const MAX_NAMED = 20;

/**
 * Returns the URLs of near duplicates of removed URLs that are not removed themselves. Prefixes and hosts are not
 * compared, because they may have many pages.
 */
export function nearDuplicatesIn(index: Directory, targets: readonly RemovalTarget[]): string[] {
  const removed = new RemovedUrls(targets);
  const urls = targets.filter(({ kind }) => kind === 'url').map(({ value }) => value as CanonicalUrl);
  const reader = new IndexReader(index, silentLog, { verifiesLater: true });
  try {
    const near = urls.flatMap((url) => findNearDuplicates(reader.segments, url)).map(({ url }) => url);
    return [...new Set(near)].filter((url) => !removed.matches(url)).slice(0, MAX_NAMED);
  } finally {
    reader.close();
  }
}

/** Returns the URLs of all documents that searches find and that the rules cover. */
export function documentsOf(index: Directory, removed: RemovedUrls): CanonicalUrl[] {
  const reader = new IndexReader(index, silentLog, { verifiesLater: true });
  try {
    return reader.segments.flatMap(({ reader: segment, deletes }) => {
      const { hosts, hostOf } = segment.table;
      const isWanted = hosts.map((host) => removed.mayMatch(host));
      const urls: CanonicalUrl[] = [];
      for (let doc = 0; doc < segment.docCount; doc++) {
        if (!isWanted[hostOf[doc]!] || deletes.has(doc)) continue;
        const url = segment.url(doc) as CanonicalUrl;
        if (removed.matches(url)) urls.push(url);
      }
      return urls;
    });
  } finally {
    reader.close();
  }
}
