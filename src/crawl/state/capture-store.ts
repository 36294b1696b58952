/**
 * The store to which a crawl and an import write captures and journal records. A batch becomes valid with the
 * commit of the crawl state that contains its mark:
 *
 *   write*, archive*, record* -> seal (durable) -> the caller commits the mark -> committed -> publish
 *
 * The next `open` drops everything that was sealed but not committed. Readers of the journal see a record
 * after its commit, and at the latest after `publish`.
 *
 * The embedded store appends to one WARC file and one journal file. Its mark has the number and the length of
 * each of the two files, and opening the store truncates the files to these lengths. Readers see the journal
 * file only after `publish`. A store of objects uploads each batch as objects of its own, and its mark has the
 * number of objects.
 */
import {
  type Archivable,
  type CdxEntry,
  type EncodedBatch,
  type WarcCompression,
  type WarcMark,
  WarcWriter,
  type WarcWriterOptions,
} from '../../archive/mod.ts';
import { type Directory, freeBytes } from '../../base/mod.ts';
import { type JournalFrame, type JournalMark, type JournalRecord, JournalWriter } from '../../journal/mod.ts';

/** Identifies all data that was sealed so far. The caller stores it with its commit. */
export interface CaptureMark {
  warc: WarcMark;
  journal: JournalMark;
}

/**
 * A sealed batch. A store of objects also returns the places of its captures, because it writes no CDXJ files, and the
 * SHA-256 of the journal object, if there is one.
 */
export interface SealedCaptures extends CaptureMark {
  captures?: readonly CdxEntry[];
  journalDigest?: string;
}

/** Captures and their journal records, encoded by a parser thread. */
export interface EncodedCaptures {
  archive: EncodedBatch & { bytes: Uint8Array<ArrayBuffer> };
  journal: readonly (JournalFrame & { payload: Uint8Array<ArrayBuffer> })[];
}

export interface CaptureStore {
  /** Compression of the captures that are passed to `write`. */
  readonly compression: WarcCompression;
  /** Number of journal files that are published, so that readers can see them. */
  readonly publishedFiles: number;
  /** Adds captures that a parser thread has encoded, and frees their memory. */
  write(encoded: EncodedCaptures): void;
  /** Adds a capture or document to the archive. */
  archive(item: Archivable): void;
  /** Adds a journal record after the records that were added before. */
  record(record: JournalRecord): void;
  /** Makes all added data durable and returns its mark. Only one call may run at a time. */
  seal(): Promise<SealedCaptures>;
  /** Reports that the mark of the last `seal` is committed. */
  committed(): void;
  /** Makes the committed records visible to readers. Call it only after the mark of the last `seal` was committed. */
  publish(): void;
  /** Closes the store and drops data that was not sealed. */
  close(): void;
}

export interface CaptureStoreOptions extends Omit<WarcWriterOptions, 'directory' | 'mark'> {
  archive: Directory;
  journal: Directory;
}

/** Opens the capture store in local files as it was at `mark`. */
export function openCaptureStore(options: CaptureStoreOptions, mark: CaptureMark): CaptureStore {
  const { archive, journal, ...rest } = options;
  const warcWriter = new WarcWriter({ ...rest, directory: archive, mark: mark.warc });
  return new LocalCaptureStore(warcWriter, new JournalWriter(journal, mark.journal));
}

class LocalCaptureStore implements CaptureStore {
  readonly #warc: WarcWriter;
  readonly #journal: JournalWriter;

  constructor(warc: WarcWriter, journal: JournalWriter) {
    this.#warc = warc;
    this.#journal = journal;
  }

  get compression(): WarcCompression {
    return this.#warc.compression;
  }

  get publishedFiles(): number {
    return this.#journal.mark.file - 1;
  }

  write({ archive, journal }: EncodedCaptures): void {
    this.#warc.write(archive);
    freeBytes(archive.bytes);
    for (const frame of journal) {
      this.#journal.write(frame);
      freeBytes(frame.payload);
    }
  }

  archive(item: Archivable): void {
    this.#warc.append(item);
  }

  record(record: JournalRecord): void {
    this.#journal.append(record);
  }

  async seal(): Promise<CaptureMark> {
    const [warc, journal] = await Promise.all([this.#warc.flush(), this.#journal.flush()]);
    return { warc, journal };
  }

  committed(): void {
    this.#warc.rotateIfLarge();
  }

  publish(): void {
    this.#journal.rotate();
  }

  close(): void {
    this.#warc.close();
    this.#journal.close();
  }
}
