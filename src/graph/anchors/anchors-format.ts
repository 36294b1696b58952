/**
 * An anchor file: the anchor texts of each document. It is called `anchors-00000001.anchors` and has the
 * number of the ranks with which it was made.
 *
 *   header        magic GYX1, version u32
 *   entries       per document: count varint, then for each text: weight f32, text; then the CRC-32 of these bytes, u32,
 *                 which version 1 does not have
 *   fingerprints  u64 × documents   ascending as unsigned numbers
 *   positions     f64 × documents   the offset of each entry in the file
 *   documents     u32
 *   checksum      u32               CRC-32 of fingerprints, positions and `documents`
 *
 * Texts are sorted by descending weight; texts that differ only in case are one text. Each host that uses a
 * text in a link adds its vote to the weight of the text: about 1 for an average host, and a quarter of that
 * for a host of the document's own domain.
 *
 * Example: if one average host links to a document with the text `home`, its entry
 * is  01  00 00 80 3F  04 68 6F 6D 65  CE 29 60 D4.
 */
import type { FileKind } from '../../base/mod.ts';

export const ANCHORS_KIND: FileKind = { magic: 'GYX1', version: 2 };
export const ANCHORS_TRAILER_BYTES = 8;
/** The maximum number of anchor texts that are kept per document. */
export const MAX_TEXTS = 32;
export const MAX_TEXT_LENGTH = 200;
export interface LinkedText {
  text: string;
  weight: number;
}

export function anchorsName(generation: number): string {
  return `anchors-${String(generation).padStart(8, '0')}.anchors`;
}
