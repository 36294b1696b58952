/**
 * Fields: the part of a page that a word is in, and the weight of that part.
 *
 *   field  number  weight  in quarters
 *   body     0      1         4
 *   title    1      4        16
 *   heading  2      2         8    of any level
 *   emphasis 3      1.5       6
 *   link     4      0.75      3    often navigation, so a little less than plain text
 *   url      5      2         8
 *   menu     6      0.25      1    menus, side bars and footers, with the headings and links in them
 *   name     7      2         8    the last part of the URL's path: the file or directory name
 *
 * The weighted frequency of a term in a document is the sum over its occurrences of the weights of their fields
 * (the simple form of BM25F). It is stored in quarters, so that it is a small integer on disk and nothing is
 * rounded: a word that occurs once in the title and twice in the body has the frequency 16 + 4 + 4 = 24.
 *
 * In memory every occurrence of a term is one number, called its place. The low three bits are the field, the
 * other bits up to bit 31 are the position in the document, and the bits from 32 on are the number of the form
 * of the term.
 */

/** The numbers of the fields. They are written to segments and must never change their meaning. */
export const Field = {
  body: 0,
  title: 1,
  heading: 2,
  emphasis: 3,
  link: 4,
  url: 5,
  menu: 6,
  name: 7,
} as const;
export type Field = (typeof Field)[keyof typeof Field];

/** The weighted frequency of a word that occurs once in body text: four quarters. */
export const FREQUENCY_UNIT = 4;

/** The weights of the fields, in quarters of the weight of body text. */
const WEIGHTS = { body: 4, title: 16, heading: 8, emphasis: 6, link: 3, url: 8, menu: 1, name: 8 };

/** The weights of the fields by field number, for fast access in inner loops. */
export const FIELD_WEIGHTS: Uint8Array = Uint8Array.from(
  Object.entries(Field).sort((a, b) => a[1] - b[1]),
  ([name]) => WEIGHTS[name as keyof typeof WEIGHTS],
);

export const LEAST_WEIGHT: number = Math.min(...FIELD_WEIGHTS);

const FIELD_BITS = 3;
const FIELD_MASK = (1 << FIELD_BITS) - 1;

const FORM_UNIT = 2 ** 32;

export function placeOf(position: number, field: Field, form = 0): number {
  return form * FORM_UNIT + (((position << FIELD_BITS) | field) >>> 0);
}

export function positionOf(place: number): number {
  return place >>> FIELD_BITS;
}

export function fieldOf(place: number): Field {
  return (place & FIELD_MASK) as Field;
}

/** Returns the form number of an occurrence; dictionary-format.ts describes forms. */
export function fieldFormOf(place: number): number {
  return Math.floor(place / FORM_UNIT);
}
