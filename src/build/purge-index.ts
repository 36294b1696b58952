/**
 * Deletes the documents of removed URLs from the index, and every trace of them.
 *
 *   deletes -> commit: searches no longer find them -> each affected segment is merged alone -> commit
 *
 * Such a merge writes postings, stored texts, vectors and the lexicon again, without the deleted documents. A
 * segment is also affected if it has an older, deleted version of such a document. A killed purge leaves a
 * complete index; the next purge examines all documents again and continues.
 *
 * Cost: before the first commit, the documents of the affected hosts are examined. Afterwards the affected
 * segments are written again, as in a merge.
 *
 * The caller holds the lock of the index.
 */
import type { Directory, Log } from '../base/mod.ts';
import { IndexWriter, type MergePlan } from '../index/mod.ts';
import { type CanonicalUrl, fingerprint } from '../url/mod.ts';
import { type MergeRunner, mergeHere } from './merge-runner.ts';

/** The removed URLs. `mayMatch` returns false for a host without removed URLs. */
interface RemovedDocuments {
  matches(url: CanonicalUrl): boolean;
  mayMatch(host: string): boolean;
}

interface PurgeOptions {
  index: Directory;
  log: Log;
  signal?: AbortSignal;
  merge?: MergeRunner;
  /** Called when the documents are deleted and not rewritten yet, with their number. */
  onHidden?(documents: number): void | Promise<void>;
}

interface IndexPurge {
  /** Number of documents that were deleted and that searches found before. */
  documents: number;
  /** Number of segments that were written again. */
  segments: number;
}

export async function purgeIndex(removed: RemovedDocuments, options: PurgeOptions): Promise<IndexPurge> {
  const { index, log, onHidden } = options;
  const writer = new IndexWriter(index, log);
  try {
    const { keys, files } = findDocuments(writer, removed);
    const documents = writer.deleteDocuments(keys);
    writer.commit();
    await onHidden?.(documents);
    let segments = 0;
    for (const file of files) if (await rewriteSegment(writer, file, options)) segments++;
    return { documents, segments };
  } finally {
    writer.close();
  }
}

interface Found {
  /** Fingerprints of the URLs. */
  keys: Set<bigint>;
  /** Names of the segments that have a document of these URLs, deleted or not. */
  files: Set<string>;
}

function findDocuments(writer: IndexWriter, removed: RemovedDocuments): Found {
  const found: Found = { keys: new Set(), files: new Set() };
  for (const { reader } of writer.segments) {
    const { hosts, hostOf } = reader.table;
    const isWanted = hosts.map((host) => removed.mayMatch(host));
    if (!isWanted.includes(true)) continue;
    for (let doc = 0; doc < reader.docCount; doc++) {
      if (!isWanted[hostOf[doc]!]) continue;
      const url = reader.url(doc) as CanonicalUrl;
      if (!removed.matches(url)) continue;
      found.keys.add(fingerprint(url));
      found.files.add(reader.name);
    }
  }
  return found;
}

/**
 * Merges a segment alone. Returns false if the commit has dropped the segment, because all its documents are
 * deleted.
 */
async function rewriteSegment(
  writer: IndexWriter,
  file: string,
  { index, signal, merge = mergeHere }: PurgeOptions,
): Promise<boolean> {
  const plan = writer.planMerge(() => {
    const at = writer.segments.findIndex(({ reader }) => reader.name === file);
    return at < 0 ? [] : [at];
  });
  if (!plan) return false;
  await carryOut(writer, plan, await merge(index, plan, signal));
  return true;
}

async function carryOut(
  writer: IndexWriter,
  plan: MergePlan,
  outcome: Awaited<ReturnType<MergeRunner>>,
): Promise<void> {
  if (outcome.kind === 'damaged') writer.abandonMerge(plan, outcome);
  else writer.adoptMerge(plan);
  writer.commit();
}
