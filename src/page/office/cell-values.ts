/**
 * Converts the values of spreadsheet cells to the text that a reader sees: texts by number, dates, and numbers without
 * the digits that binary fractions add. Other number formats, such as currencies, are not applied.
 */
import type { WorkBudget } from '../../base/mod.ts';
import { elementsIn } from '../formats/mod.ts';

const DAY_MS = 86_400_000;
/** The day number of 1 January 1970, if 30 December 1899 is day 0. */
const DAYS_TO_1970 = 25_569;
/** The number of days between the first days of the two date systems. */
const DAYS_TO_1904 = 1_462;
/** The last day that has four digits for its year. */
const LAST_DAY = 2_958_465;
/** Letters that stand for parts of a date in a number format, outside of quotes and brackets. */
const DATE_LETTERS = /[ymd]/i;
const LITERAL = /"[^"]*"|\[[^\]]*\]|\\./g;
const SIGNIFICANT_DIGITS = 15;

export class CellValues {
  readonly #strings: readonly string[];
  /** For each cell style, whether it shows a number as a date. */
  readonly #isDate: readonly boolean[];
  readonly #is1904: boolean;

  /** `styles` is the part with the styles of cells, or null. */
  constructor(strings: readonly string[], styles: Buffer | null, is1904: boolean, budget: WorkBudget) {
    this.#strings = strings;
    this.#isDate = styles ? dateStyles(styles, budget) : [];
    this.#is1904 = is1904;
  }

  /** Returns the text of a cell with the given value, type (`t`) and style (`s`). */
  textOf(raw: string, type: string, style: string): string {
    if (type === 's') return this.#strings[Number(raw)] ?? '';
    if (type === 'e') return '';
    if (type === 'b') return raw === '1' ? 'TRUE' : 'FALSE';
    if (type !== '' && type !== 'n') return raw;
    const value = Number(raw);
    if (raw.trim() === '' || !Number.isFinite(value)) return '';
    return this.#isDate[Number(style || 0)] ? this.#dateOf(value) : plainNumber(value);
  }

  #dateOf(serial: number): string {
    const days = this.#is1904 ? serial + DAYS_TO_1904 : serial;
    if (days < 1 || days > LAST_DAY) return plainNumber(serial);
    const text = new Date(Math.round((days - DAYS_TO_1970) * DAY_MS)).toISOString();
    return Number.isInteger(days) ? text.slice(0, 10) : text.slice(0, 16).replace('T', ' ');
  }
}

function plainNumber(value: number): string {
  return String(Number(value.toPrecision(SIGNIFICANT_DIGITS)));
}

/** The styles of cells are the `xf` elements in `cellXfs`. */
function dateStyles(source: Buffer, budget: WorkBudget): boolean[] {
  const names = ['numFmt', 'cellStyleXfs', 'cellXfs', 'xf', 'cellStyles'];
  const formats = new Map<string, string>();
  const styles: boolean[] = [];
  let list = '';
  for (const { name, attributes } of elementsIn(source, names, ['numfmtid', 'formatcode'], budget)) {
    const { numfmtid: id = '', formatcode: code = '' } = attributes;
    if (name === 'numFmt') formats.set(id, code);
    else if (name !== 'xf') list = name;
    else if (list === 'cellXfs') styles.push(isDateFormat(Number(id), formats.get(id)));
  }
  return styles;
}

/** Formats 14 to 17 and 22 are dates in every language, 27 to 36 and 50 to 58 in East Asian ones. */
function isDateFormat(id: number, code: string | undefined): boolean {
  if (code !== undefined) return DATE_LETTERS.test(code.replace(LITERAL, ''));
  return (id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 36) || (id >= 50 && id <= 58);
}
