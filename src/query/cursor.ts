/**
 * A place in a list of results, as text that a client hands back to get what follows.
 *
 * Of what was looked at closely the whole list is made anew each time, at a fixed cost, and `offset` tells where to go on.
 * Behind that, `after` is the score and fingerprint of the last document shown: the next page is the best of what
 * comes after it, at the same cost however deep. The generation tells whether the index is still the same.
 */
import { hash64 } from '../base/mod.ts';
import type { Place } from './evaluate.ts';

export interface Cursor {
  generation: number;
  /** Results listed so far. */
  offset: number;
  /** Absent within what was looked at closely. */
  after?: Place;
}

export function encodeCursor({ generation, offset, after }: Cursor, query: string): string {
  const place = after ? [after.score, String(after.fingerprint)] : [];
  return Buffer.from(JSON.stringify([checkOf(query), generation, offset, ...place])).toString('base64url');
}

/** Null if this is no cursor of this query. */
export function decodeCursor(text: string, query: string): Cursor | null {
  const parts = partsOf(text);
  if (!parts || parts[0] !== checkOf(query)) return null;
  const [, generation, offset, score, fingerprint] = parts;
  if (!isCount(generation) || !isCount(offset)) return null;
  if (parts.length === 3) return { generation, offset };
  if (typeof score !== 'number' || typeof fingerprint !== 'string' || !/^-?\d{1,19}$/.test(fingerprint))
    return null;
  return { generation, offset, after: { score, fingerprint: BigInt(fingerprint) } };
}

function partsOf(text: string): unknown[] | null {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(parts) && (parts.length === 3 || parts.length === 5) ? parts : null;
  } catch {
    return null;
  }
}

function checkOf(query: string): string {
  return hash64(query).toString(36);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
