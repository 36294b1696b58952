/**
 * An anchor file: for each document what links to it say. `anchors-00000001.anchors`, its number being that of
 * the ranks with which it was made.
 *
 *   header        magic GYX1, version u32
 *   entries       per document: count varint, then for each text: weight f32, text
 *   fingerprints  u64 × documents   ascending as unsigned numbers
 *   positions     f64 × documents   where the entry of each begins, from the start of the file
 *   documents     u32
 *   checksum      u32               CRC-32 of fingerprints, positions and `documents`
 *
 * Texts come by falling weight, capitals making no other text. A text has a vote for each host that links with it,
 * of the weight of that host: about 1 for an average one, a quarter of that from the document's own domain.
 *
 * The entry of a document that one average host calls `home` is  01  00 00 80 3F  04 68 6F 6D 65.
 */
import type { FileKind } from '../base/mod.ts';

export const ANCHORS_KIND: FileKind = { magic: 'GYX1', version: 1 };
export const ANCHORS_TRAILER_BYTES = 8;
/** More texts say nothing that the first ones do not. */
export const MAX_TEXTS = 32;
export const MAX_TEXT_LENGTH = 200;
/** More than the longest entry: every character in four bytes, weights, lengths and the count. */
export const MAX_ENTRY_BYTES = MAX_TEXTS * (MAX_TEXT_LENGTH * 4 + 8) + 8;

export interface AnchorText {
  text: string;
  weight: number;
}

export function anchorsName(generation: number): string {
  return `anchors-${String(generation).padStart(8, '0')}.anchors`;
}
