/**
 * Finds captures in an archive by their URL and reads them, also while a crawl is writing to it.
 *
 * Finished files are searched by binary search in their sorted CDXJ files. The lines of the file that still
 * grows are in order of writing: a map in memory has the offsets of the lines by a hash of their key, and
 * each lookup first adds the lines written since the last lookup.
 */
import { CorruptError, type Directory, hashLanes, partOf, type RandomFile } from '../base/mod.ts';
import {
  byDistance,
  type CdxEntry,
  type CdxQuery,
  decodeCdx,
  matchesQuery,
  lineStartsOf,
  surtOf,
} from './cdx/mod.ts';
import { type ArchivedRecord, readRecord, WARC_COMPRESSIONS, warcName, warcNumber } from './warc/mod.ts';

const LF = 0x0a;
const CDX_SUFFIX = '.cdxj';
/** The number of bytes that one read takes from a CDXJ file to find a line. Most lines are shorter. */
const LINE_BYTES = 1024;
/** The number of lines that one query reads from one file at most. */
const MAX_SCANNED = 100_000;

/** Finds captures by their URL and reads their records. */
export interface CaptureReader {
  /**
   * Returns all captures of a URL, newest first. Among captures of the same time, the one that was written
   * last comes first.
   */
  find(url: string): CdxEntry[];
  /**
   * Reads the record of a capture. Throws a `CorruptError` if the record is damaged or has another URL than
   * the CDXJ line.
   */
  read(entry: CdxEntry): ArchivedRecord;
  /**
   * Reads the record of a capture like `read`, but returns null instead of throwing if the record is damaged.
   */
  tryRead(entry: CdxEntry): ArchivedRecord | null;
}

export class ArchiveReader implements CaptureReader {
  readonly #directory: Directory;
  readonly #finished = new Map<string, SortedLines>();
  #growing: GrowingLines | null = null;

  constructor(directory: Directory) {
    this.#directory = directory;
  }

  find(url: string): CdxEntry[] {
    this.#refresh();
    const key = surtOf(url);
    const found: CdxEntry[] = [];
    for (const lines of [...this.#finished.values(), ...(this.#growing ? [this.#growing] : [])]) {
      for (const line of lines.of(key)) {
        const entry = decodeCdx(line);
        if (entry?.url === url) found.push(entry);
      }
    }
    return found.sort(capturesNewestFirst);
  }

  /**
   * Returns the captures that a query asks for, in order of their SURT and time. Cost: reads the lines of all URLs
   * that match, at most MAX_SCANNED of each file.
   */
  query(query: CdxQuery): CdxEntry[] {
    this.#refresh();
    const found: { key: string; entry: CdxEntry }[] = [];
    const limit = query.closest === '' ? query.limit : MAX_SCANNED;
    for (const lines of [...this.#finished.values(), ...(this.#growing ? [this.#growing] : [])]) {
      for (const start of lineStartsOf(query)) {
        let left = limit;
        let scanned = 0;
        for (const line of lines.startingWith(start)) {
          if (left === 0 || ++scanned > MAX_SCANNED) break;
          const entry = decodeCdx(line);
          if (!entry || !matchesQuery(entry, query)) continue;
          left--;
          found.push({ key: line.slice(0, line.indexOf('{')), entry });
        }
      }
    }
    found.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
    const entries = found.map(({ entry }) => entry);
    if (query.closest !== '') entries.sort(byDistance(query.closest));
    return entries.slice(0, query.limit);
  }

  /** Returns the bytes of a record as they are stored: one gzip member or zstd frame. */
  readStored({ filename, offset, length }: CdxEntry): Buffer {
    const file = this.#directory.open(this.#directory.has(filename) ? filename : partOf(filename));
    try {
      return file.read(offset, length);
    } finally {
      file.close();
    }
  }

  read(entry: CdxEntry): ArchivedRecord {
    const { filename, offset, url } = entry;
    const name = this.#directory.has(filename) ? filename : partOf(filename);
    const record = readRecord(this.#directory, name, offset);
    if (record.targetUri !== url)
      throw new CorruptError(name, offset, `a record of ${url}`, record.targetUri);
    return record;
  }

  tryRead(entry: CdxEntry): ArchivedRecord | null {
    try {
      return this.read(entry);
    } catch (error) {
      if (!(error instanceof CorruptError)) throw error;
      return null;
    }
  }

  close(): void {
    for (const lines of this.#finished.values()) lines.close();
    this.#growing?.close();
    this.#finished.clear();
    this.#growing = null;
  }

  #refresh(): void {
    const names = this.#directory.list().filter((name) => name.endsWith(CDX_SUFFIX));
    for (const name of names) {
      const known = this.#finished.get(name);
      // A purge replaces a CDXJ file by a shorter one, and the offsets in the old one are no longer valid.
      if (known?.sizeBytes === this.#directory.sizeOf(name)) continue;
      known?.close();
      this.#finished.set(name, new SortedLines(this.#directory.open(name)));
    }
    const next = growingName(this.#directory, names.length === 0 ? 1 : warcNumber(names.at(-1)!) + 1);
    if (this.#growing && this.#growing.name !== next) {
      this.#growing.close();
      this.#growing = null;
    }
    if (next !== null) {
      this.#growing ??= new GrowingLines(this.#directory, next);
      this.#growing.refresh();
    }
  }
}

/** Orders captures: newest first, and captures of the same time in reverse order of writing. */
function capturesNewestFirst(a: CdxEntry, b: CdxEntry): number {
  if (a.timestamp !== b.timestamp) return a.timestamp < b.timestamp ? 1 : -1;
  return warcNumber(b.filename) - warcNumber(a.filename) || b.offset - a.offset;
}

function growingName(directory: Directory, file: number): string | null {
  const isThere = WARC_COMPRESSIONS.some((each) => directory.has(partOf(warcName(file, each))));
  const name = partOf(`${String(file).padStart(8, '0')}${CDX_SUFFIX}`);
  return isThere && directory.has(name) ? name : null;
}

/** A CDXJ file whose lines are sorted. It is searched on disk. */
class SortedLines {
  readonly #file: RandomFile;

  constructor(file: RandomFile) {
    this.#file = file;
  }

  get sizeBytes(): number {
    return this.#file.size;
  }

  of(key: string): Generator<string> {
    return this.startingWith(`${key} `);
  }

  *startingWith(prefix: string): Generator<string> {
    for (let at = this.#firstNotBelow(prefix); at < this.#file.size; ) {
      const line = this.#lineAt(at);
      if (!line.startsWith(prefix)) return;
      yield line;
      at += Buffer.byteLength(line) + 1;
    }
  }

  close(): void {
    this.#file.close();
  }

  /**
   * Returns the offset of the first line that is not less than `key`, by binary search. Invariant: every line
   * that begins before `low` is less than `key`, and every line that begins at `high` or later is not less.
   * Each step reads the first line that begins at the middle of the range or later.
   */
  #firstNotBelow(key: string): number {
    let low = 0;
    let high = this.#file.size;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const start = this.#lineStart(middle, low);
      if (start >= high) {
        high = middle;
        continue;
      }
      const line = this.#lineAt(start);
      if (line < key) low = start + Buffer.byteLength(line) + 1;
      else high = middle;
    }
    return this.#lineStart(low, low);
  }

  /**
   * Returns the offset of the first line that begins at `position` or later. `known` is the start of any line
   * at or before `position`.
   */
  #lineStart(position: number, known: number): number {
    if (position === known) return position;
    for (let at = position - 1; at < this.#file.size; at += LINE_BYTES) {
      const bytes = this.#file.read(at, Math.min(LINE_BYTES, this.#file.size - at));
      const end = bytes.indexOf(LF);
      if (end >= 0) return at + end + 1;
    }
    return this.#file.size;
  }

  #lineAt(position: number): string {
    for (let length = LINE_BYTES; ; length *= 4) {
      const wanted = Math.min(length, this.#file.size - position);
      const bytes = this.#file.read(position, wanted);
      const end = bytes.indexOf(LF);
      if (end >= 0 || position + wanted >= this.#file.size)
        return bytes.toString('utf8', 0, end < 0 ? wanted : end);
    }
  }
}

/**
 * The CDXJ lines of a file that still grows. They are in order of writing. A crawl that restarts may cut the
 * file.
 */
class GrowingLines {
  readonly name: string;
  readonly #directory: Directory;
  readonly #places = new Map<number, number[]>();
  #read = 0;
  /** The last bytes that were read, to detect that the file was cut and written again. */
  #last: Buffer = Buffer.alloc(0);

  constructor(directory: Directory, name: string) {
    this.#directory = directory;
    this.name = name;
  }

  refresh(): void {
    const size = this.#directory.has(this.name) ? this.#directory.sizeOf(this.name) : 0;
    if (size === this.#read) return;
    if (!this.#isContinued(size)) {
      this.#places.clear();
      this.#read = 0;
      this.#last = Buffer.alloc(0);
    }
    const bytes = this.#bytes(this.#read, size - this.#read);
    let at = 0;
    for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, at)) {
      this.#add(bytes.toString('utf8', at, bytes.indexOf(0x20, at)), this.#read + at);
      at = end + 1;
    }
    this.#read += at;
    this.#last = Buffer.from(bytes.subarray(Math.max(0, at - LINE_BYTES), at));
  }

  *of(key: string): Generator<string> {
    for (const place of this.#places.get(hashOf(key)) ?? []) {
      const length = Math.min(16 * LINE_BYTES, this.#read - place);
      const [line = ''] = this.#bytes(place, length).toString().split('\n', 1);
      if (line.startsWith(`${key} `)) yield line;
    }
  }

  /** Returns the lines that begin with a text, sorted. Reads the whole file. */
  startingWith(prefix: string): string[] {
    const lines = this.#bytes(0, this.#read).toString().split('\n');
    return lines.filter((line) => line.startsWith(prefix)).sort();
  }

  close(): void {}

  /**
   * Returns true if the bytes read last are still in the file at the same position. Otherwise the file was
   * cut and written again.
   */
  #isContinued(size: number): boolean {
    if (size < this.#read) return false;
    const length = this.#last.length;
    return this.#bytes(this.#read - length, length).equals(this.#last);
  }

  #add(key: string, place: number): void {
    const hash = hashOf(key);
    const places = this.#places.get(hash);
    if (places) places.push(place);
    else this.#places.set(hash, [place]);
  }

  /** Reads bytes of the file. Opens the file each time, because the crawl may have replaced it. */
  #bytes(position: number, length: number): Buffer {
    const file = this.#directory.open(this.name);
    try {
      return file.read(position, Math.min(length, file.size - position));
    } finally {
      file.close();
    }
  }
}

/** Returns a 53-bit hash of the key of a CDXJ line. A collision only costs reading one more line. */
function hashOf(key: string): number {
  const [low, high] = hashLanes(key);
  return low * 0x200000 + (high & 0x1fffff);
}
