/** Limits on the size of a page and on the work that a document may cause. Lengths are in UTF-16 units. */
import { WorkBudget } from '../base/mod.ts';

export const MAX_TEXT = 1_000_000;
export const MAX_LINKS = 5_000;
export const MAX_TITLE = 500;
export const MAX_DESCRIPTION = 1_000;
export const MAX_LINK_TEXT = 200;
export const MAX_REL = 100;
export const MAX_ALTERNATES = 100;
export const MAX_GRAPH_PROPERTIES = 20;
export const MAX_GRAPH_VALUE = 500;

/**
 * The work budget of a document: a base for every document, plus an amount for each byte of its body.
 *
 * The base is less than half a second of work, so a file of a few kilobytes cannot block a thread. Each
 * megabyte adds at most about 1.5 s. In a survey, nearly all honest documents took a few percent of their
 * budget, and the most demanding one 56 % (decision 6).
 *
 *   steps   A page of HTML takes about 0.12 steps per byte, most PDF files less than 1, a large drawing in a PDF 3.6.
 *   pieces  A PDF that places every letter by itself has at most one piece per byte. A piece takes about 150 bytes of memory.
 *   bytes   Text compresses 3 to 10 times, but many pages of a PDF may share one stream, which is decompressed for each.
 */
const BASE_STEPS = 2_000_000;
const STEPS_A_BYTE = 8;
const BASE_PIECES = 250_000;
const PIECES_A_BYTE = 1;
const BASE_DECODED_BYTES = 16 * 1024 * 1024;
const DECODED_BYTES_A_BYTE = 32;
/** The maximum number of decoded bytes in the budget of a document of any size. */
const MAX_DECODED_BYTES = 192 * 1024 * 1024;

/** Returns the work budget of a document whose body has the given size. */
export function documentBudget(bodyBytes: number): WorkBudget {
  return new WorkBudget({
    steps: BASE_STEPS + STEPS_A_BYTE * bodyBytes,
    pieces: BASE_PIECES + PIECES_A_BYTE * bodyBytes,
    bytes: Math.min(BASE_DECODED_BYTES + DECODED_BYTES_A_BYTE * bodyBytes, MAX_DECODED_BYTES),
  });
}

/**
 * Returns true if the text of a page was cut. A text that was cut has the maximum length, or is one or two
 * units shorter, because surrogate pairs are not split and a space at the end is removed.
 */
export function isShortened({ text }: { text: string }): boolean {
  return text.length >= MAX_TEXT - 2;
}
