/** Files beside a segment that a search can do without, such as ranks, anchor lists, vectors and lexicons. */
import { CorruptError, type Log, messageOf, systemCode } from '../../base/mod.ts';

/**
 * Reports whether a file is damaged or missing. The caller can continue without it; other errors must be
 * thrown again.
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

/** Reads a file that the segment can do without. Returns null and logs a warning if the file is damaged or missing. */
export function sideOrNone<T>(what: keyof typeof REMEDIES, file: string, log: Log, read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    log.warn(`${what} damaged, skipped`, { file, reason: messageOf(error), advice: REMEDIES[what] });
    return null;
  }
}
