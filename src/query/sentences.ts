/**
 * Where sentences begin, and what is running text, in a text that has each of its blocks (paragraph, heading, item, cell)
 * on a line of its own. Signs are all it goes by: no language is asked for, and a wrong guess costs a snippet its looks.
 */

/** They end a sentence if a space follows. */
const STOPS = '.!?…।؟۔';
/** They need none. */
const UNSPACED_STOPS = '。！？';
/** So that most characters can be passed over: of the stops above the least, the greatest of ASCII, the next. */
const FIRST_STOP = 0x21;
const LAST_ASCII_STOP = 0x3f;
const FIRST_OTHER_STOP = 0x61f;
const CLOSING = '"\'”’»)]';
const MAX_CLOSING = 3;
/** They have a dot in the middle of a sentence; so have single letters (`e.g.`, `J.`), and the number of an item. */
const ABBREVIATIONS = new Set(
  'etc vs cf ca approx resp fig no vol al mr mrs ms dr prof st bzw usw bspw p.ex'.split(' '),
);
const LONGEST_ABBREVIATION = 6;
/** Shorter blocks are headings, items of a menu, cells. */
const MIN_PROSE = 40;
const MIN_UNSPACED_PROSE = 15;

/** Whether a sentence or a block begins there. */
export function isSentenceStart(text: string, at: number): boolean {
  if (at <= 0) return true;
  const before = text[at - 1]!;
  if (before === '\n' || UNSPACED_STOPS.includes(before)) return true;
  return before === ' ' && isStopped(text, at - 1);
}

/** The last beginning of a sentence or block in [from, to], or -1. */
export function sentenceStart(text: string, from: number, to: number): number {
  for (let at = to; at >= from; at--) if (isSentenceStart(text, at)) return at;
  return -1;
}

/** Whether the part of a block between `start` and `end` is long enough for a sentence, and one ends in it. */
export function isProse(text: string, start: number, end: number): boolean {
  if (end - start < MIN_UNSPACED_PROSE) return false;
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

/** Behind quotes and brackets comes a space, or nothing. */
function mayEndAt(text: string, from: number, end: number): boolean {
  let at = from;
  while (at < end && at - from < MAX_CLOSING && CLOSING.includes(text[at]!)) at++;
  return at === end || text.charCodeAt(at) <= 0x20;
}

/** Where the block ends that `at` is in, or `limit` if that comes first. */
export function blockEnd(text: string, at: number, limit = text.length): number {
  const most = Math.min(text.length, limit);
  const length = text.slice(at, most).indexOf('\n');
  return length < 0 ? most : at + length;
}

/** Whether what stands before `end` is the last of a sentence: a stop, and perhaps quotes and brackets behind it. */
export function isStopped(text: string, end: number): boolean {
  let at = end;
  while (at > 0 && end - at < MAX_CLOSING && CLOSING.includes(text[at - 1]!)) at--;
  if (at === 0) return false;
  const stop = text[at - 1]!;
  if (stop === '.') return !isAbbreviation(text, at - 1);
  return STOPS.includes(stop) || UNSPACED_STOPS.includes(stop);
}

function isAbbreviation(text: string, dot: number): boolean {
  let start = dot;
  while (start > 0 && dot - start < LONGEST_ABBREVIATION && !/[\s(]/.test(text[start - 1]!)) start--;
  const word = text.slice(start, dot).toLowerCase();
  if (/^\d{1,2}$/.test(word)) return isSentenceStart(text, start);
  return ABBREVIATIONS.has(word) || /^(?:\p{L}\.)*\p{L}$/u.test(word);
}
