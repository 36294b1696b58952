/**
 * Anchor lists: postings of the anchor texts of a segment's documents, with the document numbers of the
 * segment. The file is `seg-00000007.anchor-00000012`, named after the generation that wrote it and never
 * changed. Anchor lists are files beside their segment, as ranks are, so that a new rank run rewrites them
 * without rewriting the postings of pages.
 *
 *   header      magic GYA1, version u32
 *   postings    per term: postings, then positions               postings-format.ts
 *   dictionary  term -> its postings, without forms              dictionary-format.ts
 *   samples     of the dictionary, held in memory                sorted-blocks.ts
 *   votes       u16[]   per document: the total weight of its texts
 *   footer      dictionaryAt u64, samplesAt u64, docCount u32, termCount u32
 *   checksum    u32     CRC-32 of all bytes before it, as in every sealed file
 *
 * An anchor text weighs 16 for each vote of an average host, at least 3 and at most 255. The frequency of a
 * term in a document is the sum, over its occurrences, of the weights of the anchor texts. Frequencies are
 * stored in quarters, so a vote is worth four words of plain text. Positions continue from one text to the
 * next with a gap of 8, so that no phrase spans two texts. The field of each occurrence is always 0, because
 * it has no meaning here.
 *
 * Example: links to document 5 have the text `node streams` with two votes and `streams` with a quarter of a
 * vote, so they weigh 32 and 4. Then `node` has the frequency 32 at position 0, `stream` has the frequency 36
 * at the positions 1 and 10, and the number in `votes` is 36. The postings of `stream` are 0B 01 22, its
 * positions 02 12.
 */
import {
  ByteReader,
  type ByteWriter,
  CorruptError,
  type FileKind,
  SEAL_HEADER_BYTES,
} from '../../base/mod.ts';

export const ANCHOR_LISTS_KIND: FileKind = { magic: 'GYA1', version: 1 };
export const ANCHOR_FOOTER_BYTES = 24;
/** The stored weight of an anchor text with one vote of an average host. */
export const VOTE_UNIT = 16;
/** Number of unused positions between two anchor texts, so that no phrase spans both. */
export const TEXT_GAP = 8;

const LEAST_TEXT = 3;
const MOST_TEXT = 255;

/**
 * A distinct anchor text of the links to a document. `weight` is its number of votes; a link from an average
 * host is one vote.
 */
export interface AnchorText {
  readonly text: string;
  readonly weight: number;
}

/**
 * Returns the anchor texts of the document whose URL has this fingerprint, the text with the greatest weight
 * first.
 */
export type AnchorTexts = (fingerprint: bigint) => readonly AnchorText[];

/** Converts a number of votes to the weight that the file stores for an anchor text. */
export function textWeight(votes: number): number {
  return Math.max(LEAST_TEXT, Math.min(MOST_TEXT, Math.round(VOTE_UNIT * votes)));
}

interface AnchorFooter {
  dictionaryAt: number;
  samplesAt: number;
  docCount: number;
  termCount: number;
}

export function encodeAnchorFooter(footer: AnchorFooter, out: ByteWriter): void {
  out.u64(BigInt(footer.dictionaryAt));
  out.u64(BigInt(footer.samplesAt));
  out.u32(footer.docCount);
  out.u32(footer.termCount);
}

/**
 * Decodes the footer of an anchor lists file. `footerAt` is the file offset of the footer. Throws if the
 * footer says that a section begins after the footer.
 */
export function decodeAnchorFooter(bytes: Buffer, file: string, footerAt: number): AnchorFooter {
  const reader = new ByteReader(bytes, file);
  const dictionaryAt = Number(reader.u64());
  const samplesAt = Number(reader.u64());
  const offsets = [SEAL_HEADER_BYTES, dictionaryAt, samplesAt, footerAt];
  if (offsets.some((offset, i) => i > 0 && offset < offsets[i - 1]!))
    throw new CorruptError(file, footerAt, 'ascending sections', offsets.join(' '));
  return { dictionaryAt, samplesAt, docCount: reader.u32(), termCount: reader.u32() };
}
