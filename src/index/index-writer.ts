/**
 * The one who changes an index. New segments, deletes, ranks and merges are gathered, and `commit` makes
 * them visible at once by replacing the manifest; until then every reader sees the index as it was.
 *
 * One writer at a time: the caller holds the lock of the index. If a call throws, close the writer; what
 * was not committed is rubbish that the next writer removes.
 */
import { randomUUID } from 'node:crypto';
import { type Directory, type Log, messageOf, partOf } from '../base/mod.ts';
import { DocSet } from './doc-set.ts';
import type { DocId } from './document.ts';
import {
  deletesName,
  filesOf,
  MANIFEST_VERSION,
  type Manifest,
  ranksName,
  readManifest,
  type SegmentEntry,
  segmentName,
  writeManifest,
} from './manifest.ts';
import { mergeSegments } from './merge.ts';
import { chooseMerge } from './merge-policy.ts';
import { isUnreadable, openEntry } from './open-segment.ts';
import { writeRankColumn } from './rank-column.ts';
import { openSegment, type SegmentReader } from './segment-reader.ts';

/** The rank of a URL relative to the mean; 0 if it is unknown. */
export type RelativeRank = (fingerprint: bigint) => number;

interface Writable {
  reader: SegmentReader;
  entry: SegmentEntry;
  deletes: DocSet;
  ranks: Float32Array | null;
  deletesChanged: boolean;
  ranksChanged: boolean;
}

export class IndexWriter {
  readonly #directory: Directory;
  readonly #log: Log;
  #manifest: Manifest;
  #nextSegment: number;
  #segments: Writable[] = [];
  /** Damaged segments: kept as they are, for an operator to look at, and never merged. */
  #unreadable: SegmentEntry[] = [];
  #changed = false;

  constructor(directory: Directory, log: Log) {
    this.#directory = directory;
    this.#log = log;
    this.#manifest = readManifest(directory);
    this.#nextSegment = this.#manifest.nextSegment;
    this.#removeRubbish();
    for (const entry of this.#manifest.segments) this.#open(entry);
  }

  get generation(): number {
    return this.#manifest.generation;
  }

  /** The last journal file that is in the index. */
  get journal(): string {
    return this.#manifest.journal;
  }

  /** Live documents as of the last commit. */
  get docCount(): number {
    return this.#manifest.segments.reduce((sum, { docs, deleted }) => sum + docs - deleted, 0);
  }

  /** A name for a segment that the caller is about to write. */
  reserveName(): string {
    return segmentName(this.#nextSegment++);
  }

  /** Takes a finished segment into the index. */
  adopt(name: string, rankOf: RelativeRank | null): void {
    const reader = openSegment(this.#directory, name);
    const ranks = rankOf && columnOf(reader, rankOf);
    this.#add(reader, ranks);
  }

  /** Deletes these documents from all segments that are there now; returns how many there were. */
  deleteDocuments(fingerprints: Iterable<bigint>): number {
    let count = 0;
    for (const fingerprint of fingerprints) {
      for (const segment of this.#segments) {
        const doc: DocId = segment.reader.findDocument(fingerprint);
        if (doc < 0 || !segment.deletes.add(doc)) continue;
        segment.deletesChanged = true;
        this.#changed = true;
        count++;
      }
    }
    return count;
  }

  /** Ranks every document anew; no postings are touched. */
  setRanks(rankOf: RelativeRank): void {
    for (const segment of this.#segments) {
      segment.ranks = columnOf(segment.reader, rankOf);
      segment.ranksChanged = true;
      this.#changed = true;
    }
  }

  /** Merges segments if it is time to; the result is visible after the next `commit`. */
  async mergeIfDue(orderKey: (url: string) => string, signal?: AbortSignal): Promise<boolean> {
    const chosen = chooseMerge(
      this.#segments.map(({ reader, deletes }) => ({
        liveDocs: reader.docCount - deletes.size,
        deletedDocs: deletes.size,
      })),
    ).map((index) => this.#segments[index]!);
    if (chosen.length === 0) return false;
    if (!this.#verifyAll(chosen)) return this.mergeIfDue(orderKey, signal);
    await this.#merge(chosen, orderKey, signal);
    return true;
  }

  /** Makes one segment of all; visible after the next `commit`. */
  async mergeAll(orderKey: (url: string) => string, signal?: AbortSignal): Promise<void> {
    this.#verifyAll(this.#segments);
    const wasted = this.#segments.some(({ deletes }) => deletes.size > 0);
    if (this.#segments.length > 1 || wasted) await this.#merge([...this.#segments], orderKey, signal);
  }

  async #merge(
    chosen: readonly Writable[],
    orderKey: (url: string) => string,
    signal?: AbortSignal,
  ): Promise<void> {
    const name = this.reserveName();
    const { docCount, ranks } = await mergeSegments(this.#directory, name, chosen, orderKey, signal);
    this.#segments = this.#segments.filter((segment) => !chosen.includes(segment));
    for (const { reader } of chosen) reader.close();
    this.#add(openSegment(this.#directory, name), ranks);
    this.#log.info('segments merged', { segment: name, from: chosen.length, docs: docCount });
  }

  /** Makes everything visible, with `journal` as the last file that is in the index. */
  commit(journal: string): void {
    if (!this.#changed && journal === this.#manifest.journal) return;
    const generation = this.#manifest.generation + 1;
    this.#dropEmpty();
    const entries = this.#segments.map((segment) => this.#writeSides(segment, generation));
    const manifest = {
      version: MANIFEST_VERSION,
      id: this.#manifest.id || randomUUID(),
      generation,
      nextSegment: this.#nextSegment,
      journal,
      segments: [...this.#unreadable, ...entries],
    };
    writeManifest(this.#directory, manifest);
    this.#manifest = manifest;
    this.#changed = false;
    this.#removeRubbish();
  }

  close(): void {
    for (const { reader } of this.#segments) reader.close();
    this.#segments = [];
  }

  #open(entry: SegmentEntry): void {
    try {
      const { reader, deletes, ranks } = openEntry(this.#directory, entry, this.#log, false);
      this.#segments.push({ reader, entry, deletes, ranks, deletesChanged: false, ranksChanged: false });
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      this.#setAside(entry, error);
    }
  }

  #add(reader: SegmentReader, ranks: Float32Array | null): void {
    const docs = reader.docCount;
    const entry = { file: reader.name, docs, deleted: 0, deletes: null, ranks: null };
    const deletes = new DocSet(docs);
    this.#segments.push({
      reader,
      entry,
      deletes,
      ranks,
      deletesChanged: false,
      ranksChanged: ranks !== null,
    });
    this.#changed = true;
  }

  /** A merge must not spread damage. False if a segment had to be set aside. */
  #verifyAll(segments: readonly Writable[]): boolean {
    const before = this.#unreadable.length;
    for (const segment of segments) {
      try {
        segment.reader.verify();
      } catch (error) {
        if (!isUnreadable(error)) throw error;
        this.#segments = this.#segments.filter((other) => other !== segment);
        segment.reader.close();
        this.#setAside(segment.entry, error);
      }
    }
    return this.#unreadable.length === before;
  }

  #setAside(entry: SegmentEntry, why: unknown): void {
    this.#log.error('segment set aside: remove the index directory to build it anew from the journal', {
      segment: entry.file,
      why: messageOf(why),
    });
    this.#unreadable.push(entry);
  }

  #dropEmpty(): void {
    const empty = this.#segments.filter(({ reader, deletes }) => deletes.size === reader.docCount);
    this.#segments = this.#segments.filter((segment) => !empty.includes(segment));
    for (const { reader } of empty) reader.close();
  }

  /** Writes what changed beside a segment and returns its line in the next manifest. */
  #writeSides(segment: Writable, generation: number): SegmentEntry {
    const { entry, deletes, ranks } = segment;
    if (segment.deletesChanged) {
      entry.deletes = deletesName(entry.file, generation);
      deletes.write(this.#directory, entry.deletes);
    }
    if (segment.ranksChanged && ranks) {
      entry.ranks = ranksName(entry.file, generation);
      writeRankColumn(this.#directory, entry.ranks, ranks);
    }
    segment.deletesChanged = false;
    segment.ranksChanged = false;
    entry.deleted = deletes.size;
    return { ...entry };
  }

  /** Removes what the manifest does not name, and the `.part` files that a dead writer may have left. */
  #removeRubbish(): void {
    const kept = new Set(filesOf(this.#manifest));
    const rubbish = this.#directory.list().filter((name) => name.startsWith('seg-') && !kept.has(name));
    for (const name of rubbish) this.#directory.remove(name);
    const next = this.#manifest.nextSegment;
    for (let number = next; number <= next + rubbish.length; number++) {
      this.#directory.remove(partOf(segmentName(number)));
    }
    const generation = this.#manifest.generation + 1;
    for (const { file } of this.#manifest.segments) {
      this.#directory.remove(partOf(deletesName(file, generation)));
      this.#directory.remove(partOf(ranksName(file, generation)));
    }
  }
}

function columnOf(reader: SegmentReader, rankOf: RelativeRank): Float32Array {
  return Float32Array.from(reader.table.fingerprints, (fingerprint) => rankOf(fingerprint));
}
