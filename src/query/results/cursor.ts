/**
 * A cursor: a place in the list of results, encoded as text. A client sends it back to get the results after that
 * place.
 *
 * The first results are the candidates of the second stage. They are ranked again for each page, at a fixed cost,
 * and the cursor has the place among them as `offset`. For results after the candidates, the cursor has the score
 * and fingerprint of the last shown document (`after`). The next page has the best documents after it, at the same
 * cost at any depth. The generation in the cursor shows if the index has changed.
 */
import { hash64 } from '../../base/mod.ts';
import type { ListPlace } from '../matching/mod.ts';

export interface Cursor {
  generation: number;
  /** The number of results on the previous pages. */
  offset: number;
  /** The last shown document; absent while the next page begins among the candidates of the second stage. */
  after?: ListPlace;
}

export function encodeCursor({ generation, offset, after }: Cursor, query: string): string {
  const place = after ? [after.score, String(after.fingerprint)] : [];
  return Buffer.from(JSON.stringify([checkOf(query), generation, offset, ...place])).toString('base64url');
}

/** Decodes a cursor. Returns null if the text is not a cursor of this query. */
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
