/**
 * Computes the key of a title, by which a query that is the title of a page finds this page. Only letters and digits
 * count, folded as in words: a query has no punctuation that its operators would use.
 */
import { crc32 } from 'node:zlib';
import { fold } from './fold.ts';

const SEPARATORS = /[^\p{L}\p{M}\p{N}]+/gu;

/** Returns a hash of the letters and digits of a title; 0 if it has none. */
export function titleKeyOf(title: string): number {
  const letters = fold(title).replace(SEPARATORS, '');
  return letters === '' ? 0 : crc32(letters) || 1;
}
