/**
 * The file `seen.log` has the fingerprints of a `SeenSet` in the order in which they were added, eight bytes each, so
 * that a restart reads one file front to back instead of a whole B-tree. It is written with each commit and,
 * like the archive, truncated to the length of the last commit when it is opened again. It has no magic: the
 * fingerprint 0123456789abcdef is EF CD AB 89 67 45 23 01, and so on to the end. The commit mark in
 * `crawl.db` has the length of the log and the CRC-32 of all its bytes. If the log is lost or damaged, it is
 * rebuilt from the state.
 *
 * The runs of the set (seen-run.ts) are in `seen/`. Together they have the fingerprints of a beginning of the
 * log; only the rest of the log is loaded into the table. A run that does not fit to the log, or is damaged, is
 * removed together with all other runs, and all runs are made again from the log. A run is written after a
 * commit, so it has only committed fingerprints.
 */
import { crc32 } from 'node:zlib';
import { type AppendFile, CorruptError, type Directory } from '../../base/mod.ts';
import { type CrawlState, fingerprintPages } from '../state/mod.ts';
import { SeenRun, stretchOfName } from './seen-run.ts';
import { SeenSet } from './seen-set.ts';

const LOG = 'seen.log';
const RUNS = 'seen';
const KEY_BYTES = 8;
const READ_BYTES = 1 << 18;

/** Length of `seen.log` at a commit, and its checksum. */
export interface SeenMark {
  seenBytes: number;
  /** CRC-32 of the first `seenBytes` bytes of `seen.log`; absent in commits of older versions. */
  seenCheck?: number | undefined;
}

/** The file `seen.log` and the runs in `seen/`, which store a `SeenSet`. */
export class SeenLog {
  readonly #file: AppendFile;
  readonly #runs: Directory;
  readonly #seen: SeenSet;
  #check: number;
  /** Number of fingerprints at the beginning of the log that are also in runs. */
  #inRuns: number;
  #pending: bigint[] = [];

  private constructor(file: AppendFile, check: number, seen: SeenSet, runs: Directory, inRuns: number) {
    this.#file = file;
    this.#check = check;
    this.#seen = seen;
    this.#runs = runs;
    this.#inRuns = inRuns;
  }

  /**
   * Opens the log at the length of the last commit and fills `seen` from it. Throws a `CorruptError` if the checksum
   * of the log differs.
   */
  static async open(directory: Directory, mark: SeenMark, seen: SeenSet): Promise<SeenLog> {
    const runs = directory.directory(RUNS);
    const { check, inRuns } = await fill(directory, mark.seenBytes, seen, runs);
    requireCheck(check, mark);
    return new SeenLog(directory.append(LOG, mark.seenBytes), check, seen, runs, inRuns);
  }

  /** Writes a new log with the fingerprints of all URLs in the crawl state. */
  static async rebuild(
    directory: Directory,
    pages: AsyncIterable<readonly bigint[]>,
    seen: SeenSet,
  ): Promise<SeenLog> {
    const runs = directory.directory(RUNS);
    removeRuns(runs);
    const log = new SeenLog(directory.append(LOG, 0), 0, seen, runs, 0);
    for await (const page of pages) {
      for (const fingerprint of page) {
        seen.add(fingerprint);
        log.append(fingerprint);
      }
      log.#write();
      await log.spillIfFull();
    }
    return log;
  }

  get length(): number {
    return this.#file.length;
  }

  append(fingerprint: bigint): void {
    this.#pending.push(fingerprint);
  }

  /** Makes the appended fingerprints durable and returns the new length and checksum, which the caller commits. */
  async flush(): Promise<SeenMark> {
    const isChanged = this.#pending.length > 0;
    if (isChanged) this.#write();
    const mark = { seenBytes: this.#file.length, seenCheck: this.#check };
    if (isChanged) await this.#file.sync();
    return mark;
  }

  /** Writes the table of the set to disk as a run if it is full. The caller must have committed the last mark. */
  async spillIfFull(): Promise<void> {
    if (!this.#seen.isTableFull) return;
    const stretch = { first: this.#inRuns, end: this.#file.length / KEY_BYTES, check: this.#check };
    this.#inRuns = stretch.end;
    await this.#seen.spill(this.#runs, stretch, this.#pending);
  }

  close(): void {
    this.#file.close();
    this.#seen.close();
  }

  #write(): void {
    const bytes = new Uint8Array(BigInt64Array.from(this.#pending).buffer);
    this.#check = crc32(bytes, this.#check);
    this.#file.write(bytes);
    this.#pending = [];
  }
}

/** Checks the bytes of the log up to the last commit; throws a `CorruptError` if their checksum differs. */
export function checkSeenLog(directory: Directory, mark: SeenMark): void {
  let check = 0;
  for (const { bytes } of readLog(directory, 0, mark.seenBytes)) check = crc32(bytes, check);
  requireCheck(check, mark);
}

/** Writes a new log from the crawl state. The caller must commit the returned mark. */
export async function rebuildSeenLog(directory: Directory, state: CrawlState): Promise<SeenMark> {
  const log = await SeenLog.rebuild(directory, fingerprintPages(state), new SeenSet());
  const mark = await log.flush();
  log.close();
  return mark;
}

function requireCheck(actual: number, { seenBytes, seenCheck = actual }: SeenMark): void {
  if (seenCheck === actual) return;
  throw new CorruptError(LOG, seenBytes, `checksum ${seenCheck.toString(16)}`, actual.toString(16));
}

/**
 * Adds the fingerprints of the log to `seen`. Returns the CRC-32 of the log, and the number of its fingerprints that
 * are in runs.
 */
async function fill(
  directory: Directory,
  committedBytes: number,
  seen: SeenSet,
  runs: Directory,
): Promise<{ check: number; inRuns: number }> {
  let { check, inRuns } = useRuns(directory, committedBytes, seen, runs);
  seen.reserve(committedBytes / KEY_BYTES - inRuns);
  for (const { bytes, endAt } of readLog(directory, inRuns * KEY_BYTES, committedBytes)) {
    check = crc32(bytes, check);
    seen.addWords(new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4));
    if (!seen.isTableFull) continue;
    const end = endAt / KEY_BYTES;
    await seen.spill(runs, { first: inRuns, end, check }, []);
    inRuns = end;
  }
  return { check, inRuns };
}

/**
 * Opens the runs that cover the log from its beginning without gaps, and removes all other runs. Returns the CRC-32
 * and the number of fingerprints of the log up to the end of the last run.
 */
function useRuns(
  directory: Directory,
  committedBytes: number,
  seen: SeenSet,
  runs: Directory,
): { check: number; inRuns: number } {
  let check = 0;
  let inRuns = 0;
  const opened: SeenRun[] = [];
  try {
    for (const name of runs.list()) {
      if (stretchOfName(name)?.first !== inRuns) throw new CorruptError(name, 0, `first ${inRuns}`, name);
      const run = SeenRun.open(runs, name);
      opened.push(run);
      const endBytes = run.stretch.end * KEY_BYTES;
      if (endBytes > committedBytes) throw new CorruptError(name, 8, 'committed fingerprints', 'more');
      for (const { bytes } of readLog(directory, inRuns * KEY_BYTES, endBytes)) check = crc32(bytes, check);
      if (check !== run.stretch.check) throw new CorruptError(name, 16, 'a run of this log', 'another');
      inRuns = run.stretch.end;
    }
  } catch (error) {
    if (!(error instanceof CorruptError)) throw error;
    for (const run of opened) run.close();
    removeRuns(runs);
    return { check: 0, inRuns: 0 };
  }
  for (const run of opened) seen.useRun(run);
  return { check, inRuns };
}

function removeRuns(runs: Directory): void {
  for (const name of runs.list()) runs.remove(name);
}

/** Yields the bytes of the log in pieces. A piece is valid until the next one is read. */
function* readLog(
  directory: Directory,
  fromAt: number,
  endAt: number,
): Generator<{ bytes: Buffer; endAt: number }> {
  if (endAt % KEY_BYTES !== 0) throw new CorruptError(LOG, endAt, 'whole fingerprints', 'a part of one');
  if (fromAt >= endAt) return;
  if (!directory.has(LOG)) throw new CorruptError(LOG, 0, `${endAt} bytes`, 'no file');
  const file = directory.open(LOG);
  const piece = Buffer.alloc(READ_BYTES);
  try {
    for (let at = fromAt; at < endAt; at += READ_BYTES) {
      const length = Math.min(READ_BYTES, endAt - at);
      yield { bytes: file.read(at, length, piece), endAt: at + length };
    }
  } finally {
    file.close();
  }
}
