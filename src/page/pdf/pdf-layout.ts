/**
 * Combines the pieces of text on a PDF page: pieces with a narrow gap to words, words to lines, and adjacent
 * lines of the same font size to paragraphs. Words that were hyphenated at the end of a line are joined
 * again.
 *
 * The text is kept in the order in which the page draws it. For nearly all documents that is the reading
 * order, including columns; sorting by position would mix the columns.
 */
import type { Piece } from './pdf-content.ts';

export interface TextBlock {
  text: string;
  size: number;
  isBold: boolean;
  page: number;
}

/** The minimum gap between two words. All gaps and tolerances here are relative to the font size. */
const WORD_GAP = 0.17;
const LINE_TOLERANCE = 0.5;
const PARAGRAPH_GAP = 1.7;
const SIZE_TOLERANCE = 0.12;
/**
 * A line that ends a sentence also ends its paragraph if its length is below this share of the widest line.
 */
const SHORT_LINE = 0.8;

interface Line {
  text: string;
  start: number;
  end: number;
  across: number;
  size: number;
  turn: number;
  boldUnits: number;
}

export function layOutText(pieces: readonly Piece[], page: number): TextBlock[] {
  const blocks: TextBlock[] = [];
  let lines: Line[] = [];
  for (const line of linesOf(pieces)) {
    if (lines.length > 0 && !continues(lines, line)) {
      blocks.push(blockOf(lines, page));
      lines = [];
    }
    lines.push(line);
  }
  if (lines.length > 0) blocks.push(blockOf(lines, page));
  return blocks.filter(({ text }) => text !== '');
}

function linesOf(pieces: readonly Piece[]): Line[] {
  const lines: Line[] = [];
  for (const piece of pieces) {
    const line = lines.at(-1);
    if (line && isOnLine(line, piece)) extend(line, piece);
    else {
      const { text, start, end, across, size, turn, isBold } = piece;
      lines.push({ text, start, end, across, size, turn, boldUnits: isBold ? text.length : 0 });
    }
  }
  return lines.filter(({ text }) => text.trim() !== '');
}

/**
 * Returns true if a piece of text belongs to the line. Superscripts and subscripts belong to it. A piece that
 * starts far before the end of the line begins another line.
 */
function isOnLine(line: Line, piece: Piece): boolean {
  const size = Math.max(line.size, piece.size);
  return (
    piece.turn === line.turn &&
    Math.abs(piece.across - line.across) < LINE_TOLERANCE * size &&
    piece.start > line.end - 2 * size
  );
}

function extend(line: Line, piece: Piece): void {
  const gap = piece.start - line.end;
  const size = Math.min(line.size, piece.size) || 1;
  line.text += gap > WORD_GAP * size ? ` ${piece.text}` : piece.text;
  line.end = Math.max(line.end, piece.end);
  if (piece.text.trim() !== '' && piece.size > line.size) {
    line.size = piece.size;
    line.across = piece.across;
  }
  if (piece.isBold) line.boldUnits += piece.text.length;
}

function continues(lines: readonly Line[], next: Line): boolean {
  const last = lines.at(-1)!;
  const drop = last.across - next.across;
  const isSameSize = Math.abs(next.size - last.size) <= SIZE_TOLERANCE * last.size;
  if (!isSameSize || next.turn !== last.turn || drop <= 0 || drop > PARAGRAPH_GAP * last.size) return false;
  const widest = Math.max(...lines.slice(-5).map(({ start, end }) => end - start), next.end - next.start);
  const endsSentence = /[.:!?]["”’)]?\s*$/.test(last.text);
  return !(endsSentence && last.end - last.start < SHORT_LINE * widest);
}

function blockOf(lines: readonly Line[], page: number): TextBlock {
  const units = lines.reduce((sum, line) => sum + line.text.length, 0);
  const boldUnits = lines.reduce((sum, line) => sum + line.boldUnits, 0);
  return {
    text: joined(lines.map(({ text }) => spelled(text.replace(/\s+/g, ' ').trim()))),
    size: lines.reduce((most, line) => Math.max(most, line.size), 0),
    isBold: boldUnits > 0.9 * units,
    page,
  };
}

/** Replaces ligatures such as `ﬁ` by their letters, because queries have the letters. */
function spelled(text: string): string {
  return text.replace(/[\ufb00-\ufb06]/g, (ligature) => ligature.normalize('NFKC'));
}

/**
 * Joins the lines of a paragraph. `exam-` and `ple` become one word. `well-` and `Known` stay two words, and
 * so do ranges of numbers.
 */
function joined(lines: readonly string[]): string {
  return lines
    .map((line, i) => {
      const next = lines[i + 1] ?? '';
      if (next === '') return line;
      if (/\p{Ll}[-\u00ad\u2010]$/u.test(line.slice(-3)) && /^\p{Ll}/u.test(next)) return line.slice(0, -1);
      return isUnspaced(line.at(-1)!) && isUnspaced(next[0]!) ? line : `${line} `;
    })
    .join('');
}

function isUnspaced(character: string): boolean {
  return /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(character);
}
