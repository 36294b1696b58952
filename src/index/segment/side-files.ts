/**
 * Reads files that belong to a segment, but without which searches still work: ranks, anchor lists, vectors and
 * lexicons.
 */
import { CorruptError, type Log, messageOf, systemCode } from '../../base/mod.ts';

/**
 * Returns true if an error means that a file is damaged or missing, so that the caller can continue without the
 * file. Other errors must be thrown again.
 */
export function isUnreadable(error: unknown): boolean {
  return error instanceof CorruptError || systemCode(error) === 'ENOENT';
}

const REMEDIES = {
  ranks: 'run gyre rank',
  anchors: 'run gyre rank',
  vectors: 'run gyre embed',
  lexicon: 'run gyre build --repair',
};

/**
 * Calls `read` to read a file that belongs to a segment. Returns null and logs a warning if the file is damaged
 * or missing.
 */
export function sideOrNone<T>(what: keyof typeof REMEDIES, file: string, log: Log, read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    log.warn(`${what} damaged, skipped`, { file, reason: messageOf(error), advice: REMEDIES[what] });
    return null;
  }
}
