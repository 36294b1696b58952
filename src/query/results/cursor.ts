/**
 * A cursor: a place in the list of results, as text that a client passes back to get the results that follow.
 *
 * The list of candidates of the second stage is computed again for each page, at a fixed cost, and `offset`
 * is the place in it. After the candidates, `after` is the score and fingerprint of the last document shown:
 * the next page holds the best documents after this place, at the same cost at any depth. The generation
 * shows if the index is still the same.
 */
import { hash64 } from '../../base/mod.ts';
import type { ListPlace } from '../matching/mod.ts';

export interface Cursor {
  generation: number;
  /** The number of results listed so far. */
  offset: number;
  /** Absent while the place is among the candidates of the second stage. */
  after?: ListPlace;
}

export function encodeCursor({ generation, offset, after }: Cursor, query: string): string {
  const place = after ? [after.score, String(after.fingerprint)] : [];
  return Buffer.from(JSON.stringify([checkOf(query), generation, offset, ...place])).toString('base64url');
}

/** Returns null if the text is not a cursor of this query. */
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
