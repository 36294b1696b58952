/**
 * The capture store of a crawl node. Each sealed batch is two finished objects, a WARC file and a journal file:
 *
 *   write*, archive*, record* -> in memory -> seal: uploaded -> the transaction of the crawl state names the batch
 *
 * An object that was uploaded and never named belongs to nothing. Opening the store deletes the objects of the
 * batch after the mark, because the next batch gets the same number.
 *
 * Committed records are published at once: `publish` has nothing to do. The mark has the number of the last batch;
 * its lengths are the sizes of the objects, 0 if the batch has no such object.
 */
import {
  type Archivable,
  type CdxEntry,
  type EncodedBatch,
  encodeBatch,
  encodeWarcHead,
  WARC_START,
  type WarcCompression,
} from '../../archive/mod.ts';
import { type BlobStore, ByteWriter, type Clock, freeBytes } from '../../base/mod.ts';
import type { CaptureMark, CaptureStore, EncodedCaptures, SealedCaptures } from '../../crawl/mod.ts';
import {
  encodeFrames,
  encodeJournalFile,
  encodeRecord,
  JOURNAL_START,
  type JournalFrame,
  type JournalRecord,
} from '../../journal/mod.ts';
import { journalObject, warcObject } from './capture-objects.ts';
import { journalDigest } from './journal-check.ts';

interface ObjectCaptureOptions {
  /** The blob store for WARC objects; the next field is the blob store for journal objects. */
  archive: BlobStore;
  journal: BlobStore;
  /** The name of the node, which no other process has. */
  node: string;
  /** The product name and version that the archive names. */
  software: string;
  compression: WarcCompression;
  clock: Clock;
}

const OUTPUT_BYTES = 64 * 1024;

/** Opens the capture store of a node as it was at `mark`; null opens an empty store. */
export async function openObjectCaptures(
  options: ObjectCaptureOptions,
  mark: CaptureMark | null,
): Promise<CaptureStore> {
  const last = mark ?? { warc: WARC_START, journal: JOURNAL_START };
  const { node, archive, journal, compression } = options;
  const next = { node, batch: last.journal.file + 1 };
  await archive.delete(warcObject(next, compression));
  await journal.delete(journalObject(next));
  return new ObjectCaptureStore(options, last);
}

class ObjectCaptureStore implements CaptureStore {
  readonly #options: ObjectCaptureOptions;
  #mark: CaptureMark;
  #committed: CaptureMark;
  /** Copies of the WARC records and journal frames of the next batch. */
  #archived: EncodedCaptures['archive'][] = [];
  #frames: EncodedCaptures['journal'][number][] = [];
  #items: Archivable[] = [];
  #records: Uint8Array[] = [];

  constructor(options: ObjectCaptureOptions, mark: CaptureMark) {
    this.#options = options;
    this.#mark = mark;
    this.#committed = mark;
  }

  get compression(): WarcCompression {
    return this.#options.compression;
  }

  get publishedFiles(): number {
    return this.#committed.journal.file - JOURNAL_START.file;
  }

  write({ archive, journal }: EncodedCaptures): void {
    if (archive.bytes.length > 0) this.#archived.push(archive);
    this.#frames.push(...journal);
  }

  archive(item: Archivable): void {
    this.#items.push(item);
  }

  record(record: JournalRecord): void {
    this.#records.push(encodeRecord(record));
  }

  async seal(): Promise<SealedCaptures> {
    const { node, compression, archive, journal } = this.#options;
    const number = this.#mark.journal.file + 1;
    const batch = { node, batch: number };
    const warcName = warcObject(batch, compression);
    const { warc, captures } = this.#takeWarc(warcName);
    const frames: JournalFrame[] = [...this.#frames, ...encodeFrames(this.#records)];
    const records = frames.reduce((sum, frame) => sum + frame.records, 0);
    const file = records > 0 ? encodeJournalFile(frames) : Buffer.alloc(0);
    for (const { payload } of this.#frames) freeBytes(payload);
    this.#frames = [];
    this.#records = [];
    if (warc.length + file.length === 0) return this.#mark;
    await Promise.all([
      warc.length > 0 && archive.put(warcName, warc),
      file.length > 0 && journal.put(journalObject(batch), file),
    ]);
    this.#mark = {
      warc: { file: number, length: warc.length },
      journal: { file: number, length: file.length, records },
    };
    return { ...this.#mark, captures, ...(file.length > 0 && { journalDigest: journalDigest(file) }) };
  }

  committed(): void {
    this.#committed = this.#mark;
  }

  publish(): void {}

  close(): void {}

  /** Returns the bytes of the WARC object and its captures, and forgets its records. Empty if there are no records. */
  #takeWarc(name: string): { warc: Buffer; captures: CdxEntry[] } {
    const { compression, software, clock } = this.#options;
    const batches: EncodedBatch[] = [...this.#archived];
    if (this.#items.length > 0)
      batches.push(encodeBatch(this.#items, compression, new ByteWriter(OUTPUT_BYTES)));
    if (batches.length === 0) return { warc: Buffer.alloc(0), captures: [] };
    const head = encodeWarcHead(name, { software, now: clock.now(), compression });
    const warc = Buffer.concat([head, ...batches.map(({ bytes }) => bytes)]);
    const captures = placedCaptures(batches, name, head.length);
    for (const { bytes } of this.#archived) freeBytes(bytes);
    this.#archived = [];
    this.#items = [];
    return { warc, captures };
  }
}

/** Returns the captures of batches that follow one another in the object `filename`, from `start`. */
function placedCaptures(batches: readonly EncodedBatch[], filename: string, start: number): CdxEntry[] {
  const captures: CdxEntry[] = [];
  let at = start;
  for (const { bytes, entries } of batches) {
    for (const entry of entries) captures.push({ ...entry, offset: at + entry.offset, filename });
    at += bytes.length;
  }
  return captures;
}
