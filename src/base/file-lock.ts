/**
 * One process at a time: a lock that the kernel releases when its holder dies, however it dies.
 *
 * Node.js has no `flock`, but SQLite takes a real file lock for an exclusive transaction, so the
 * lock is an empty database with such a transaction held open. Nothing is ever written to it.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Directory } from './directory.ts';
import { messageOf, UsageError } from './errors.ts';

export interface FileLock {
  release(): void;
}

export function acquireLock(directory: Directory, name: string, holder: string): FileLock {
  const file = join(directory.path, `${name}.lock`);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file);
    database.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    database?.close();
    throw lockError(file, holder, cause);
  }
  const held = database;
  return { release: () => held.close() };
}

function lockError(file: string, holder: string, cause: unknown): UsageError {
  const message = messageOf(cause);
  if (message.includes('locked')) {
    const advice = 'stop it first, or name another directory with --data';
    return new UsageError('in-use', `${file} is held by another ${holder}: ${advice}`, { cause });
  }
  return new UsageError('directory-unusable', `cannot lock ${file} (${message}): make it writable`, {
    cause,
  });
}
