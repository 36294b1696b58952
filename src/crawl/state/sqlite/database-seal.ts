/**
 * `crawl.db.seal`: checksums of `crawl.db` while no process has it open for writing. SQLite has no checksums
 * of its own, and a flipped byte could change a URL, a robots.txt or the length to which the archive is
 * truncated. Sealed (magic GYDS), body:
 *
 *   sizeBytes  f64           of crawl.db; 0 while a crawl has it open
 *   count      u32
 *   checks     u32 × count   CRC-32 of each MiB of crawl.db, the last one being shorter
 *
 *   opened -> checked against the seal -> seal says "open" -> crawl -> closed -> sealed again
 *
 * A seal that says "open" when a crawl starts was left by a crash; SQLite's quick check then replaces the check
 * of the seal. Sealing and checking read the whole database, about 0.7 s for a GiB. A database larger than a
 * GiB is not sealed, so that a crawl still ends soon after SIGINT: its rows are checked as they are read, and
 * the whole file is checked by `gyre doctor` (docs/decisions/0019).
 *
 * While a crawl has the database open, the file is
 *
 *   47 59 44 53  01 00 00 00  00 00 00 00 00 00 00 00  00 00 00 00  0D 46 A0 5D
 */
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import {
  ByteReader,
  ByteWriter,
  CorruptError,
  type Directory,
  type FileKind,
  readSealed,
  writeSealed,
} from '../../../base/mod.ts';

const SEAL_FILE = 'crawl.db.seal';
const KIND: FileKind = { magic: 'GYDS', version: 1 };
const BLOCK_BYTES = 1024 * 1024;
export const MAX_SEALED_BYTES = 1024 * BLOCK_BYTES;
export const DOCTOR_ADVICE = 'run gyre doctor --repair';

/**
 * State of the seal file. `none`: it does not exist. `open`: the last writer did not close the database, for example
 * after a crash.
 */
type SealState = 'none' | 'open' | 'sealed';

/** Compares the database with its seal file. Throws a `CorruptError` if a byte of either has changed. */
export function checkDatabaseSeal(directory: Directory, name: string): SealState {
  if (!directory.has(SEAL_FILE)) return 'none';
  const reader = new ByteReader(readSealed(directory, SEAL_FILE, KIND), SEAL_FILE);
  const sizeBytes = reader.f64();
  if (sizeBytes === 0) return 'open';
  const expected = Array.from({ length: reader.u32() }, () => reader.u32());
  const path = join(directory.path, name);
  const actualBytes = directory.sizeOf(name);
  if (actualBytes !== sizeBytes) {
    throw new CorruptError(path, actualBytes, `${sizeBytes} bytes`, String(actualBytes), DOCTOR_ADVICE);
  }
  for (const [block, actual] of checksOf(directory, name)) {
    if (actual === expected[block]) continue;
    const [wanted, got] = [expected[block] ?? 0, actual].map((check) => check.toString(16));
    throw new CorruptError(path, block * BLOCK_BYTES, `checksum ${wanted}`, got!, DOCTOR_ADVICE);
  }
  return 'sealed';
}

/**
 * Seals the database in its current state. No process may have it open for writing, and its write-ahead log
 * must be empty.
 */
export function sealDatabase(directory: Directory, name: string): void {
  const sizeBytes = directory.sizeOf(name);
  if (sizeBytes > MAX_SEALED_BYTES) {
    directory.remove(SEAL_FILE);
    return;
  }
  const checks = [...checksOf(directory, name)].map(([, check]) => check);
  writeSeal(directory, sizeBytes, checks);
}

/** Writes to the seal file that the database is open. This is durable before anything is written to the database. */
export function markDatabaseOpen(directory: Directory): void {
  writeSeal(directory, 0, []);
}

function writeSeal(directory: Directory, sizeBytes: number, checks: readonly number[]): void {
  const body = new ByteWriter();
  body.f64(sizeBytes);
  body.u32(checks.length);
  for (const check of checks) body.u32(check);
  writeSealed(directory, SEAL_FILE, KIND, body.view());
}

function* checksOf(directory: Directory, name: string): Generator<[block: number, check: number]> {
  const file = directory.open(name);
  try {
    for (let block = 0; block * BLOCK_BYTES < file.size; block++) {
      const at = block * BLOCK_BYTES;
      yield [block, crc32(file.read(at, Math.min(BLOCK_BYTES, file.size - at)))];
    }
  } finally {
    file.close();
  }
}
