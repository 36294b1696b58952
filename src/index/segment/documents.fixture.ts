/** Small documents and directories for tests. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Directory, hash64, openDirectory, silentLog } from '../../base/mod.ts';
import type { AnchorTexts } from '../anchors/anchor-lists-format.ts';
import type { IndexDocument } from '../document.ts';
import { IndexReader } from '../index-reader.ts';
import type { IndexWriter } from '../index-writer.ts';
import { SegmentBuffer } from '../indexing/segment-buffer.ts';
import { chooseMerge } from '../merging/merge-policy.ts';
import { runMerge } from '../merging/run-merge.ts';

export function temporaryDirectory(t: TestContext): Directory {
  const path = mkdtempSync(join(tmpdir(), 'gyre-index-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return openDirectory(path);
}

/** Returns a document with the URL `https://example.org/<name>`. */
export function makeDocument(name: string, text: string, title = ''): IndexDocument {
  const url = `https://example.org/${name}`;
  return {
    stored: { url, title, description: '', text, language: 'en', fetchedAt: 1_700_000_000_000 },
    fingerprint: fingerprintOf(name),
    host: 'example.org',
    urlDepth: 1,
    title,
    text,
    fieldRanges: [],
    urlText: '',
  };
}

export function fingerprintOf(name: string): bigint {
  return BigInt.asIntN(64, hash64(name));
}

export const byUrl = (url: string): string => url;

/** Merges segments in this thread if a merge is due. Returns false if none is due. */
export async function mergeIfDue(
  directory: Directory,
  writer: IndexWriter,
  orderKey = byUrl,
  choose = chooseMerge,
): Promise<boolean> {
  for (let plan = writer.planMerge(choose); plan; plan = writer.planMerge(choose)) {
    const outcome = await runMerge(directory, plan, orderKey);
    if (outcome.kind === 'merged') {
      writer.adoptMerge(plan);
      return true;
    }
    writer.abandonMerge(plan, outcome);
  }
  return false;
}

/** Merges all segments of the index into one, in this thread. */
export async function mergeAll(directory: Directory, writer: IndexWriter, orderKey = byUrl): Promise<void> {
  await mergeIfDue(directory, writer, orderKey, (sizes) => {
    const isDue = sizes.length > 1 || sizes.some(({ deletedDocs }) => deletedDocs > 0);
    return isDue ? [...sizes.keys()] : [];
  });
}

/** Writes the documents as one segment and adds the segment to the index. The caller commits. */
export async function addSegment(
  directory: Directory,
  writer: IndexWriter,
  documents: readonly IndexDocument[],
  textsOf: AnchorTexts | null = null,
): Promise<string> {
  const buffer = new SegmentBuffer();
  for (const document of documents) buffer.add(document);
  const name = writer.reserveName();
  await buffer.write(directory, name, byUrl);
  writer.adopt(name, null, textsOf);
  return name;
}

/** Returns the live documents as `name: text`, sorted. */
export function liveTexts(directory: Directory): string[] {
  const reader = new IndexReader(directory, silentLog);
  const texts = reader.segments.flatMap((segment) =>
    Array.from({ length: segment.reader.docCount }, (_, doc) => doc)
      .filter((doc) => !segment.deletes.has(doc))
      .map((doc) => segment.reader.document(doc))
      .map(({ url, text }) => `${url.split('/').at(-1)}: ${text}`),
  );
  reader.close();
  return texts.sort();
}
