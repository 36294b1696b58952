/**
 * Detects where sentences start and which blocks are running text. In the given text, each block (paragraph,
 * heading, list item, cell) is a line. Only punctuation is used, whatever the language. A wrong guess makes a
 * snippet look worse, but not wrong.
 */

/** Characters that end a sentence if a space follows. */
const STOPS = '.!?…।؟۔';
/** Characters that end a sentence even if no space follows. */
const UNSPACED_STOPS = '。！？';
/**
 * No character that ends a sentence has a code below FIRST_STOP, or between LAST_ASCII_STOP and FIRST_OTHER_STOP.
 * The search skips characters with such codes without looking them up.
 */
const FIRST_STOP = 0x21;
const LAST_ASCII_STOP = 0x3f;
const FIRST_OTHER_STOP = 0x61f;
const CLOSING = '"\'”’»)]';
const MAX_CLOSING = 3;
/**
 * Abbreviations whose dot does not end a sentence. Neither does the dot after a single letter (`e.g.`, `J.`) or after
 * the number of a list item.
 */
const ABBREVIATIONS = new Set(
  'etc vs cf ca approx resp fig no vol al mr mrs ms dr prof st bzw usw bspw p.ex'.split(' '),
);
const LONGEST_ABBREVIATION = 6;
const ITEM_NUMBER = /^\d{1,2}(?:\.\d{1,3})*$/;
const LONGEST_ITEM_NUMBER = 16;
/** The minimum length of a block of running text. Shorter blocks are headings, menu items or table cells. */
const MIN_PROSE = 40;
const MIN_UNSPACED_PROSE = 15;
/** Matches the beginning of an entry of a table of contents: `2.5. Save the file`, `5. Where to ask`. */
const SECTION_NUMBER = /\p{N}{1,3}((?:\.\p{N}{1,3})*)\.?\s/uy;
/** The maximum length of such an entry, if its number has one level, and if it has several. */
const ENTRY_LENGTH = { chapter: 60, section: 160 };

/** Returns true if a sentence or a block begins at `at`. */
export function isSentenceStart(text: string, at: number): boolean {
  if (at <= 0) return true;
  const before = text[at - 1]!;
  if (before === '\n' || UNSPACED_STOPS.includes(before)) return true;
  return before === ' ' && isStopped(text, at - 1);
}

/** Returns the last start of a sentence or block in [from, to], or -1. */
export function sentenceStart(text: string, from: number, to: number): number {
  for (let at = to; at >= from; at--) if (isSentenceStart(text, at)) return at;
  return -1;
}

/**
 * Returns true if the range [start, end) of a block is running text: it is long enough, contains the end of a
 * sentence, and is not an entry of a table of contents.
 */
export function isProse(text: string, start: number, end: number): boolean {
  if (end - start < MIN_UNSPACED_PROSE || isEntry(text, start, end)) return false;
  const isLong = end - start >= MIN_PROSE;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code < FIRST_STOP || (code > LAST_ASCII_STOP && code < FIRST_OTHER_STOP)) continue;
    const stop = text[at]!;
    if (UNSPACED_STOPS.includes(stop)) return true;
    if (isLong && STOPS.includes(stop) && mayEndAt(text, at + 1, end) && isStopped(text, at + 1)) return true;
  }
  return false;
}

function isEntry(text: string, start: number, end: number): boolean {
  if (end - start > ENTRY_LENGTH.section || (start > 0 && text.charCodeAt(start - 1) !== 0x0a)) return false;
  SECTION_NUMBER.lastIndex = start;
  const number = SECTION_NUMBER.exec(text);
  return number !== null && end - start <= (number[1] === '' ? ENTRY_LENGTH.chapter : ENTRY_LENGTH.section);
}

/** Returns true if a space or the end of the text follows at `from`, after any closing quotes and brackets. */
function mayEndAt(text: string, from: number, end: number): boolean {
  let at = from;
  while (at < end && at - from < MAX_CLOSING && CLOSING.includes(text[at]!)) at++;
  return at === end || text.charCodeAt(at) <= 0x20;
}

/** Returns the end of the block that contains `at`, or `limit` if that comes first. */
export function blockEnd(text: string, at: number, limit = text.length): number {
  const most = Math.min(text.length, limit);
  const length = text.slice(at, most).indexOf('\n');
  return length < 0 ? most : at + length;
}

/**
 * Returns true if a sentence ends at `end`: the text before `end` is a full stop or similar, and possibly closing
 * quotes and brackets.
 */
export function isStopped(text: string, end: number): boolean {
  let at = end;
  while (at > 0 && end - at < MAX_CLOSING && CLOSING.includes(text[at - 1]!)) at--;
  if (at === 0) return false;
  const stop = text[at - 1]!;
  if (stop === '.') return !isAbbreviation(text, at - 1);
  return STOPS.includes(stop) || UNSPACED_STOPS.includes(stop);
}

function isAbbreviation(text: string, dot: number): boolean {
  if (isItemNumber(text, dot)) return true;
  let start = dot;
  while (start > 0 && dot - start < LONGEST_ABBREVIATION && !/[\s(]/.test(text[start - 1]!)) start--;
  const word = text.slice(start, dot).toLowerCase();
  return ABBREVIATIONS.has(word) || /^(?:\p{L}\.)*\p{L}$/u.test(word);
}

/** Returns true if the text before the dot is the number of a list item or a section: `3.`, `2.10.` */
function isItemNumber(text: string, dot: number): boolean {
  let start = dot;
  while (start > 0 && dot - start < LONGEST_ITEM_NUMBER && /[\d.]/.test(text[start - 1]!)) start--;
  return ITEM_NUMBER.test(text.slice(start, dot)) && isSentenceStart(text, start);
}
