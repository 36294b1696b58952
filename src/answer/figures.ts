/**
 * Figures as people write them. A mark between digits is a decimal point or parts thousands, which depends on the
 * language only where both are possible: 1,234.5 and 1.234,5 say it themselves, 1.234 does not.
 */

/** Of languages that write `1.234,5`. */
const DECIMAL_COMMA = new Set(['de', 'fr']);
/** Of those that part thousands by a blank. */
const BLANK_BETWEEN = new Set(['fr']);
const GROUPED = /^\d{1,3}(?:[.,]\d{3})+$/;

/** A plain decimal, as `1234.5`; null if it is none in any language. */
export function readFigure(text: string, language: string): string | null {
  const at = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','));
  if (at < 0) return /^\d+$/.test(text) ? text : null;
  const mark = text[at]!;
  const [whole, part] = [text.slice(0, at), text.slice(at + 1)];
  const isOneMark = !whole.includes('.') && !whole.includes(',');
  const isGrouped = GROUPED.test(text) && !text.startsWith('0') && hasOneMark(text);
  const isDecimalMark = (mark === ',') === DECIMAL_COMMA.has(language);
  if (isGrouped && !(isOneMark && isDecimalMark)) return text.replaceAll(mark, '');
  const other = mark === ',' ? '.' : ',';
  const isWhole = isOneMark ? /^\d*$/.test(whole) : GROUPED.test(whole) && !whole.includes(mark);
  if (!isWhole || !/^\d*$/.test(part) || text.length === 1) return null;
  return `${whole.replaceAll(other, '') || '0'}.${part || '0'}`;
}

/** All figures in a text as plain decimals; those that cannot be read stay as they are. */
export function plainFigures(text: string, language: string): string {
  return joinedThousands(latinDigits(text), language).replace(
    /[\d.,]*\d[\d.,]*/g,
    (figure) => readFigure(figure, language) ?? figure,
  );
}

/** `10 000` as `10000`, for those who write it so. */
export function joinedThousands(text: string, language: string): string {
  return BLANK_BETWEEN.has(language) ? text.replace(/(?<=\d)\s(?=\d{3}(?!\d))/g, '') : text;
}

/** Digits of Arabic and Persian, and their marks, as ours. */
export function latinDigits(text: string): string {
  return text
    .replace(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0))
    .replaceAll('\u066b', '.')
    .replaceAll('\u066c', ',');
}

function hasOneMark(text: string): boolean {
  return !(text.includes('.') && text.includes(','));
}
