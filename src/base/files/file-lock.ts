/**
 * A lock between processes, which the kernel releases when its holder dies for any reason.
 *
 * Node.js has no `flock`, but SQLite takes a real file lock for an exclusive transaction. The lock is an
 * empty database file on which the holder keeps such a transaction open. The file stays empty.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { messageOf, UsageError } from '../errors.ts';
import type { Directory } from './directory.ts';

export interface FileLock {
  release(): void;
}

/**
 * The time that `acquireLock` waits for the lock. If another process only checks the lock with `isLocked`,
 * the check ends within this time.
 */
const LOOK_MS = 100;

/**
 * Takes the lock `name`, or throws if another process holds it. `holders` has the names of the commands that
 * may hold the lock, for the error message.
 */
export function acquireLock(directory: Directory, name: string, holders: string): FileLock {
  const file = fileOf(directory, name);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: LOOK_MS });
    database.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    database?.close();
    throw lockError(file, holders, cause);
  }
  const held = database;
  return { release: () => held.close() };
}

/** Returns true if another process holds the lock. Needs only read access. */
export function isLocked(directory: Directory, name: string): boolean {
  if (!directory.has(`${name}.lock`)) return false;
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(fileOf(directory, name), { readOnly: true });
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
    return false;
  } catch (error) {
    return isHeld(error);
  } finally {
    database?.close();
  }
}

function fileOf(directory: Directory, name: string): string {
  return join(directory.path, `${name}.lock`);
}

function isHeld(error: unknown): boolean {
  return messageOf(error).includes('locked');
}

function lockError(file: string, holders: string, cause: unknown): UsageError {
  const message = messageOf(cause);
  if (isHeld(cause)) {
    const advice = 'stop it first, or name another directory with --data';
    return new UsageError('in-use', `${file} is held by another process (${holders}): ${advice}`, { cause });
  }
  const advice = 'check that it is writable and that the disk is not full';
  return new UsageError('directory-unusable', `cannot lock ${file} (${message}): ${advice}`, { cause });
}
