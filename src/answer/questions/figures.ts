/**
 * Parses numbers as people write them. A mark between digits is a decimal or a thousands separator. 1,234.5
 * and 1.234,5 are unambiguous; for 1.234 the language decides.
 */

/** Languages that write numbers with a decimal comma and a point between thousands: `1.234,5`. */
const DECIMAL_COMMA = new Set(['de', 'fr']);
/** Languages that separate thousands by a blank. */
const BLANK_BETWEEN = new Set(['fr']);
const GROUPED = /^\d{1,3}(?:[.,]\d{3})+$/;

/**
 * Parses a number and returns it as a plain decimal such as `1234.5`; null if the text is not a number in any
 * language.
 */
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

/** Rewrites all numbers in a text as plain decimals. Numbers that cannot be parsed stay unchanged. */
export function plainFigures(text: string, language: string): string {
  return joinedThousands(latinDigits(text), language).replace(
    /[\d.,]*\d[\d.,]*/g,
    (figure) => readFigure(figure, language) ?? figure,
  );
}

/** Rewrites `10 000` as `10000` for languages that separate thousands by a blank. */
export function joinedThousands(text: string, language: string): string {
  return BLANK_BETWEEN.has(language) ? text.replace(/(?<=\d)\s(?=\d{3}(?!\d))/g, '') : text;
}

/** Replaces Arabic and Persian digits and separators by ASCII characters. */
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
