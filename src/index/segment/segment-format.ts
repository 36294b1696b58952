/**
 * A segment: an immutable index of some documents in one file, `seg-00000007.seg`.
 *
 *   header      magic GYS2, version u32: 8
 *   documents   stored documents                        stored-format.ts
 *   postings    per term: postings, then positions      postings-format.ts
 *   dictionary  term -> its postings                    dictionary-format.ts
 *   words       word -> its term                        dictionary-format.ts
 *   tables      held in memory, in this order:
 *                 samples of the dictionary             sorted-blocks.ts
 *                 samples of the words                  sorted-blocks.ts
 *                 frames of the stored documents        stored-format.ts
 *                 the document table                    document-table.ts
 *   footer      postingsAt u64, dictionaryAt u64, wordsAt u64, tablesAt u64,
 *               docCount u32, termCount u32, wordCount u32
 *   checksum    u32, CRC-32 of all bytes before it, as in every sealed file
 *
 * The sections are in the order in which they can be written, so a segment of any size is written in one
 * pass. A reader reads the last 48 bytes first.
 *
 * Version 7 has no column for the keys of translations; results then list each translation. Version 6 has no column for the
 * keys of titles, either; no page is then found by its key. Version 5 has no columns for the
 * subject of titles, either; the whole title is then the subject. Older versions had no fields for menus and names of
 * pages; they are rejected with the command that builds the index again.
 *
 * Example: a segment with one document at the bytes 8..107, 20 bytes of postings, a dictionary of 11 bytes
 * and words of 9 bytes has the footer  6C 00.. (108)  80 00.. (128)  8B 00.. (139)  94 00..
 * (148)  01 00 00 00  and its counts of terms and words.
 */
import { ByteReader, ByteWriter, CorruptError, type FileKind, SEAL_HEADER_BYTES } from '../../base/mod.ts';

export const SEGMENT_KIND: FileKind = { magic: 'GYS2', version: 8 };
export const OLDEST_SEGMENT_VERSION = 5;
export const FOOTER_BYTES = 44;
export const DOCUMENTS_AT = SEAL_HEADER_BYTES;

export interface SegmentFooter {
  postingsAt: number;
  dictionaryAt: number;
  wordsAt: number;
  tablesAt: number;
  docCount: number;
  termCount: number;
  wordCount: number;
}

export function encodeFooter(footer: SegmentFooter): Buffer {
  const out = new ByteWriter(FOOTER_BYTES);
  out.u64(BigInt(footer.postingsAt));
  out.u64(BigInt(footer.dictionaryAt));
  out.u64(BigInt(footer.wordsAt));
  out.u64(BigInt(footer.tablesAt));
  out.u32(footer.docCount);
  out.u32(footer.termCount);
  out.u32(footer.wordCount);
  return out.view();
}

/**
 * Decodes the footer of a segment file. `footerAt` is the file offset of the footer. Throws if the footer
 * says that a section begins after the footer.
 */
export function decodeFooter(bytes: Buffer, file: string, footerAt: number): SegmentFooter {
  const reader = new ByteReader(bytes, file);
  const postingsAt = Number(reader.u64());
  const dictionaryAt = Number(reader.u64());
  const wordsAt = Number(reader.u64());
  const tablesAt = Number(reader.u64());
  const offsets = [DOCUMENTS_AT, postingsAt, dictionaryAt, wordsAt, tablesAt, footerAt];
  if (offsets.some((offset, i) => i > 0 && offset < offsets[i - 1]!)) {
    throw new CorruptError(file, footerAt, 'ascending sections', offsets.join(' '));
  }
  const counts = { docCount: reader.u32(), termCount: reader.u32(), wordCount: reader.u32() };
  return { postingsAt, dictionaryAt, wordsAt, tablesAt, ...counts };
}
