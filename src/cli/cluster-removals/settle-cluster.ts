/**
 * Makes the crawl state and the archive of a cluster reflect its removals. The coordinator does this; index nodes take the
 * pages out of their shards, and crawl nodes request none of them, as soon as they have read the list.
 *
 *   crawl state -> captures of purged pages, in archive and journal -> this change is marked as settled -> audit log
 *
 * Every step may be repeated, and the mark comes last.
 */
import { type BlobStore, type Directory, systemClock } from '../../base/mod.ts';
import {
  appendClusterAudit,
  applyClusterRemovals,
  type ClusterDatabase,
  findRemovedKeys,
  markRemovalsSettled,
  purgeClusterCaptures,
  readSettledRevision,
} from '../../cluster/mod.ts';
import { type CanonicalUrl, fingerprint } from '../../url/mod.ts';
import { auditLine } from '../access/mod.ts';
import { type RemovalList, RemovedUrls, removedBy } from '../removals/mod.ts';

interface SettleOptions {
  database: ClusterDatabase;
  /** Opens the objects of the bucket whose names begin with `prefix`. */
  openBlobs(prefix: string): Promise<BlobStore>;
  /** A directory for copies of objects that are purged. */
  scratch: Directory;
}

/** Settles the list. Returns the numbers of changes; null if the crawl state and the archive already reflect it. */
export async function settleClusterRemovals(
  list: RemovalList,
  { database, openBlobs, scratch }: SettleOptions,
): Promise<Record<string, number> | null> {
  if ((await readSettledRevision(database)) >= list.revision) return null;
  const removed = removedBy(list);
  const crawled = await applyClusterRemovals(database, removed, await findRemovedKeys(database, removed));
  const pending = list.rules.filter(({ purge }) => purge === 'pending');
  const counts: Record<string, number> = { ...crawled };
  if (pending.length > 0) {
    const purged = new RemovedUrls(pending);
    const named = pending.filter(({ kind }) => kind === 'url').flatMap(({ value }) => keysOf(value));
    const keys = new Set([...named, ...(await findRemovedKeys(database, purged))]);
    const [archive, journal] = [await openBlobs('archive/'), await openBlobs('journal/')];
    const isPurged = (url: CanonicalUrl) => purged.matches(url);
    const options = { archive, journal, scratch, isPurged };
    Object.assign(counts, await purgeClusterCaptures(database, [...keys], options));
  }
  const { allowed, reopened } = crawled;
  await markRemovalsSettled(database, { revision: list.revision, allowed: allowed + reopened }, pending);
  const entry = { who: 'gyre', action: 'settle-removals', revision: list.revision, counts };
  await appendClusterAudit(database, auditLine(entry, systemClock.now()));
  return counts;
}

/** Returns the fingerprints of a URL with each scheme, because a rule covers both. */
function keysOf(url: string): bigint[] {
  const rest = url.slice(url.indexOf('//'));
  return ['http:', 'https:'].map((scheme) => fingerprint(`${scheme}${rest}` as CanonicalUrl));
}
