/**
 * Keeps, for each URL, the version (time, epoch, writer) of the journal record that is in the index. The
 * indexer skips a record that is older than this version. Therefore the live documents do not depend on the
 * order in which the files of several writers are read. Aliases and removals have versions too: if a page was
 * fetched before its removal, but its record is read after the removal, the page stays removed.
 *
 *   record -> recent (in memory) -> a table (with each segment) -> merged with tables of its size
 *
 * A table is a file beside the segments, `versions-00000002.gyre`. The manifest lists the tables and replaces
 * them together with the segments. The file is sealed (magic GYW1) and never changed. Its body is:
 *
 *   urls          u32
 *   writers       varint, then their names as text
 *   fingerprint   i64[]   of the URLs, ascending
 *   fetchedAt     f64[]
 *   epoch         u32[]
 *   writer        u8[]    index in `writers`
 *
 * The version 1767323045000 of epoch 1, by `main`, of a URL with the fingerprint 1 is
 *
 *   47 59 57 31  01 00 00 00  01 00 00 00  01  04 6D 61 69 6E  01 00 00 00 00 00 00 00
 *   00 80 C8 98 CA B7 79 42  01 00 00 00  00  29 2C 8E 51
 *
 * A table is loaded when a record may be older than one of its versions. New records of a crawl are newer than
 * all versions in the large tables, so large tables are rarely loaded. A URL takes 21 bytes.
 */
import {
  ByteReader,
  ByteWriter,
  CorruptError,
  type Directory,
  messageOf,
  readSealed,
  systemCode,
  writeSealed,
} from '../base/mod.ts';
import type { VersionsEntry } from '../index/mod.ts';
import { compareVersions, type RecordVersion } from '../journal/mod.ts';

const VERSIONS_KIND = { magic: 'GYW1', version: 1 };
const BYTES_PER_URL = 21;
const ADVICE = 'gyre build --repair rebuilds the index from the journal';

export class RecordVersions {
  readonly #index: Directory;
  /**
   * The tables from the oldest to the newest. If two tables have the same URL, the later table has the newer
   * version.
   */
  #tables: VersionsTable[];
  readonly #recent = new Map<bigint, RecordVersion>();

  constructor(index: Directory, entries: readonly VersionsEntry[]) {
    this.#index = index;
    this.#tables = entries.map((entry) => new VersionsTable(index, entry));
  }

  /** The tables of versions, as the manifest lists them. */
  get entries(): VersionsEntry[] {
    return this.#tables.map(({ entry }) => entry);
  }

  /** The versions of URLs that had a record since the last `flush`. */
  get recent(): ReadonlyMap<bigint, RecordVersion> {
    return this.#recent;
  }

  /** Returns true if no newer version of the URL is known. */
  isNewest(fingerprint: bigint, version: RecordVersion): boolean {
    const recent = this.#recent.get(fingerprint);
    if (recent) return compareVersions(version, recent) >= 0;
    for (let at = this.#tables.length - 1; at >= 0; at--) {
      const table = this.#tables[at]!;
      if (table.entry.newest < version.fetchedAt) continue;
      const known = table.find(fingerprint);
      if (known) return compareVersions(version, known) >= 0;
    }
    return true;
  }

  add(fingerprint: bigint, version: RecordVersion): void {
    this.#recent.set(fingerprint, version);
  }

  /**
   * Writes the recent versions to a new table. Then merges tables until each has at least twice as many URLs as
   * the next newer one. `reserveName` returns an unused file name.
   */
  flush(reserveName: () => string): void {
    if (this.#recent.size === 0) return;
    let columns = columnsOf(this.#recent);
    this.#recent.clear();
    for (
      let last = this.#tables.at(-1);
      last && last.entry.urls < 2 * sizeOf(columns);
      last = this.#tables.at(-1)
    ) {
      columns = mergeColumns(last.load(), columns);
      this.#tables.pop();
    }
    this.#tables.push(writeTable(this.#index, reserveName(), columns));
  }
}

/** A table of versions on disk, which is loaded at its first use. */
class VersionsTable {
  readonly entry: VersionsEntry;
  readonly #index: Directory;
  #columns: Columns | null = null;

  constructor(index: Directory, entry: VersionsEntry) {
    this.#index = index;
    this.entry = entry;
  }

  find(fingerprint: bigint): RecordVersion | null {
    const columns = this.load();
    let low = 0;
    let high = columns.fingerprints.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (columns.fingerprints[middle]! < fingerprint) low = middle + 1;
      else high = middle;
    }
    return columns.fingerprints[low] === fingerprint ? versionAt(columns, low) : null;
  }

  load(): Columns {
    this.#columns ??= readColumns(this.#index, this.entry);
    return this.#columns;
  }
}

interface Columns {
  writers: string[];
  fingerprints: BigInt64Array;
  fetchedAt: Float64Array;
  epochs: Uint32Array;
  writerOf: Uint8Array;
}

function emptyColumns(writers: string[], urls: number): Columns {
  return {
    writers,
    fingerprints: new BigInt64Array(urls),
    fetchedAt: new Float64Array(urls),
    epochs: new Uint32Array(urls),
    writerOf: new Uint8Array(urls),
  };
}

function columnsOf(versions: ReadonlyMap<bigint, RecordVersion>): Columns {
  const writers = [...new Set(versions.values().map(({ writer }) => writer))];
  const columns = emptyColumns(writers, versions.size);
  columns.fingerprints.set([...versions.keys()]);
  columns.fingerprints.sort();
  for (const [at, fingerprint] of columns.fingerprints.entries()) {
    const { fetchedAt, epoch, writer } = versions.get(fingerprint)!;
    columns.fetchedAt[at] = fetchedAt;
    columns.epochs[at] = epoch;
    columns.writerOf[at] = writers.indexOf(writer);
  }
  return columns;
}

function sizeOf({ fingerprints }: Columns): number {
  return fingerprints.length;
}

function versionAt({ writers, fetchedAt, epochs, writerOf }: Columns, at: number): RecordVersion {
  return { fetchedAt: fetchedAt[at]!, epoch: epochs[at]!, writer: writers[writerOf[at]!]! };
}

/**
 * Returns false if a table of versions is damaged or missing. Only a rebuild of the index can restore such a
 * table.
 */
export function areVersionsReadable(index: Directory, entries: readonly VersionsEntry[]): boolean {
  try {
    for (const entry of entries) readColumns(index, entry);
    return true;
  } catch (error) {
    if (error instanceof CorruptError || systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}

function readColumns(index: Directory, { file, urls }: VersionsEntry): Columns {
  const reader = new ByteReader(readBody(index, file), file);
  const count = reader.u32();
  const writers = Array.from({ length: reader.varint() }, () => reader.text());
  if (count !== urls || reader.remaining !== urls * BYTES_PER_URL)
    throw new CorruptError(file, 0, `${urls} URLs`, `${count}`, ADVICE);
  return {
    writers,
    fingerprints: new BigInt64Array(copyOf(reader, 8 * count)),
    fetchedAt: new Float64Array(copyOf(reader, 8 * count)),
    epochs: new Uint32Array(copyOf(reader, 4 * count)),
    writerOf: new Uint8Array(copyOf(reader, count)),
  };
}

function readBody(index: Directory, file: string): Buffer {
  try {
    return readSealed(index, file, VERSIONS_KIND);
  } catch (error) {
    if (!(error instanceof CorruptError)) throw error;
    throw new CorruptError(file, 0, 'a table of versions', messageOf(error), ADVICE);
  }
}

/** Copies bytes to a new buffer, because typed arrays need an aligned start. */
function copyOf(reader: ByteReader, length: number): ArrayBuffer {
  return Uint8Array.from(reader.raw(length)).buffer;
}

function writeTable(index: Directory, file: string, columns: Columns): VersionsTable {
  const urls = sizeOf(columns);
  const body = new ByteWriter(BYTES_PER_URL * urls + 256);
  body.u32(urls);
  body.varint(columns.writers.length);
  for (const writer of columns.writers) body.text(writer);
  for (const column of [columns.fingerprints, columns.fetchedAt, columns.epochs, columns.writerOf]) {
    body.raw(new Uint8Array(column.buffer, column.byteOffset, column.byteLength));
  }
  writeSealed(index, file, VERSIONS_KIND, body.view());
  const newest = columns.fetchedAt.reduce((max, fetchedAt) => Math.max(max, fetchedAt), 0);
  return new VersionsTable(index, { file, urls, newest });
}

/** Merges two tables of versions. If both have a URL, the version in `later` is kept. */
function mergeColumns(earlier: Columns, later: Columns): Columns {
  const writers = [...new Set([...earlier.writers, ...later.writers])];
  const merged = emptyColumns(writers, sizeOf(earlier) + sizeOf(later));
  let count = 0;
  const copy = (from: Columns, at: number) => {
    merged.fingerprints[count] = from.fingerprints[at]!;
    merged.fetchedAt[count] = from.fetchedAt[at]!;
    merged.epochs[count] = from.epochs[at]!;
    merged.writerOf[count++] = writers.indexOf(from.writers[from.writerOf[at]!]!);
  };
  let at = 0;
  for (let next = 0; next < sizeOf(later); next++) {
    const fingerprint = later.fingerprints[next]!;
    while (at < sizeOf(earlier) && earlier.fingerprints[at]! < fingerprint) copy(earlier, at++);
    if (earlier.fingerprints[at] === fingerprint) at++;
    copy(later, next);
  }
  while (at < sizeOf(earlier)) copy(earlier, at++);
  return {
    writers,
    fingerprints: merged.fingerprints.subarray(0, count),
    fetchedAt: merged.fetchedAt.subarray(0, count),
    epochs: merged.epochs.subarray(0, count),
    writerOf: merged.writerOf.subarray(0, count),
  };
}
