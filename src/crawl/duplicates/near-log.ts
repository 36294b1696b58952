/**
 * Appends sketches to their two files and reads them back by number; see near-format.ts for the bytes.
 *
 * New entries are in memory until `flush`, and count only when the number that `flush` returned is committed
 * with everything else: a log is opened with that number, and entries after it are cut off.
 */
import {
  type AppendFile,
  CorruptError,
  checkSealHeader,
  type Directory,
  type FileKind,
  type RandomFile,
  SEAL_HEADER_BYTES,
  sealHeader,
} from '../../base/mod.ts';
import type { Sketch } from '../../sketch/mod.ts';
import {
  BINS_BYTES,
  BINS_FILE,
  BINS_KIND,
  decodeBins,
  decodeKeys,
  decodeOwner,
  encodeBins,
  encodeKeys,
  KEYS_BYTES,
  KEYS_FILE,
  KEYS_KIND,
  type KeysRecord,
} from './near-format.ts';

/** Number of key records that are read from the file at once. */
const PIECE = 1 << 14;

export class NearLog {
  readonly #keys: AppendFile;
  readonly #bins: AppendFile;
  readonly #keysReader: RandomFile;
  readonly #binsReader: RandomFile;
  #written: number;
  #pendingKeys: Buffer[] = [];
  #pendingBins: Buffer[] = [];

  /** Opens the sketch files with their first `entryCount` entries, and cuts off later entries. */
  constructor(directory: Directory, entryCount: number) {
    this.#written = entryCount;
    this.#keys = openFile(directory, KEYS_FILE, KEYS_KIND, entryCount * KEYS_BYTES);
    this.#bins = openFile(directory, BINS_FILE, BINS_KIND, entryCount * BINS_BYTES);
    this.#keysReader = directory.open(KEYS_FILE);
    this.#binsReader = directory.open(BINS_FILE);
  }

  /** Number of entries, including those that are not flushed. It is also the number of the next entry. */
  get entryCount(): number {
    return this.#written + this.#pendingKeys.length;
  }

  append(owner: bigint, sketch: Sketch, retires: number | null): void {
    this.#pendingKeys.push(encodeKeys(owner, sketch, retires));
    this.#pendingBins.push(encodeBins(sketch.bins));
  }

  bins(entry: number): Uint8Array {
    const position = SEAL_HEADER_BYTES + entry * BINS_BYTES;
    const pending = this.#pendingBins[entry - this.#written];
    return decodeBins(pending ?? this.#binsReader.read(position, BINS_BYTES), position);
  }

  owner(entry: number): bigint {
    const position = SEAL_HEADER_BYTES + entry * KEYS_BYTES;
    const pending = this.#pendingKeys[entry - this.#written];
    return decodeOwner(pending ?? this.#keysReader.read(position, KEYS_BYTES), position);
  }

  /** Calls `visit` for the keys of all flushed entries in order, starting with entry `from`. */
  readKeys(from: number, visit: (record: KeysRecord) => void): void {
    for (let first = from; first < this.#written; first += PIECE) {
      const count = Math.min(PIECE, this.#written - first);
      const position = SEAL_HEADER_BYTES + first * KEYS_BYTES;
      decodeKeys(this.#keysReader.read(position, count * KEYS_BYTES), position, visit);
    }
  }

  /** Writes the new entries, waits for the disk, and returns the number of entries to commit. */
  async flush(): Promise<number> {
    const keys = this.#pendingKeys;
    if (keys.length === 0) return this.#written;
    this.#keys.write(Buffer.concat(keys));
    this.#bins.write(Buffer.concat(this.#pendingBins));
    this.#written += keys.length;
    this.#pendingKeys = [];
    this.#pendingBins = [];
    const flushed = this.#written;
    await Promise.all([this.#keys.sync(), this.#bins.sync()]);
    return flushed;
  }

  close(): void {
    for (const file of [this.#keys, this.#bins, this.#keysReader, this.#binsReader]) file.close();
  }
}

/** Reads every entry of the two sketch files; throws a `CorruptError` at the first damaged entry. */
export function checkSketches(directory: Directory, entryCount: number): void {
  checkFile(directory, KEYS_FILE, KEYS_KIND, KEYS_BYTES, entryCount, (bytes, position) =>
    decodeKeys(bytes, position, () => {}),
  );
  checkFile(directory, BINS_FILE, BINS_KIND, BINS_BYTES, entryCount, (bytes, position) => {
    for (let at = 0; at < bytes.length; at += BINS_BYTES) {
      decodeBins(bytes.subarray(at, at + BINS_BYTES), position + at);
    }
  });
}

function checkFile(
  directory: Directory,
  name: string,
  kind: FileKind,
  entryBytes: number,
  entryCount: number,
  check: (bytes: Buffer, position: number) => void,
): void {
  if (entryCount === 0) return;
  if (!directory.has(name)) throw new CorruptError(name, 0, `${entryCount} entries`, 'no file');
  const file = directory.open(name);
  try {
    checkSealHeader(file.read(0, SEAL_HEADER_BYTES), kind, name);
    for (let first = 0; first < entryCount; first += PIECE) {
      const position = SEAL_HEADER_BYTES + first * entryBytes;
      check(file.read(position, Math.min(PIECE, entryCount - first) * entryBytes), position);
    }
  } finally {
    file.close();
  }
}

/** Opens a sketch file and truncates it to its header and `bodyBytes`. With 0 bytes, starts a new file. */
function openFile(directory: Directory, name: string, kind: FileKind, bodyBytes: number): AppendFile {
  if (bodyBytes === 0) {
    const file = directory.append(name, 0);
    file.write(sealHeader(kind));
    return file;
  }
  if (!directory.has(name)) throw new CorruptError(name, 0, `${bodyBytes} bytes`, 'no file');
  const reader = directory.open(name);
  const header = reader.read(0, SEAL_HEADER_BYTES);
  const last = SEAL_HEADER_BYTES + bodyBytes;
  reader.read(last - 1, 1);
  reader.close();
  checkSealHeader(header, kind, name);
  return directory.append(name, last);
}
