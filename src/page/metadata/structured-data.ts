/**
 * Collects the structured data of a page, from JSON-LD, microdata and RDFa Lite, in one form: items with a type and
 * properties. Nested items are flattened to dotted names. All sizes are limited, because some pages have
 * whole catalogues as structured data. Data after a limit is dropped.
 */

import type { StructuredItem } from '../page.ts';
import { foldSpace } from '../text/mod.ts';

const MAX_ITEMS = 50;
const MAX_PROPERTIES = 40;
const MAX_VALUES = 10;
const MAX_VALUE = 4000;
const MAX_NAME = 60;
const MAX_TOTAL = 40_000;
/** The maximum nesting depth of properties; `review.author.address.city` has this depth. */
export const MAX_NESTING = 4;

const SCHEMA = /^(?:https?:\/\/(?:www\.)?schema\.org\/#?|schema:)/i;
const TYPE_NAME = /^[^\s<>"]{1,200}$/;

export class StructuredData {
  readonly #items: StructuredItem[] = [];
  #units = 0;

  get isFull(): boolean {
    return this.#items.length === MAX_ITEMS || this.#units >= MAX_TOTAL;
  }

  /**
   * Begins an item and returns it, so that properties can be added. Returns null if there is no room or the
   * type is invalid.
   */
  begin(type: string, source: string, id = ''): StructuredItem | null {
    const name = type.trim().replace(SCHEMA, '');
    if (this.isFull || !TYPE_NAME.test(name)) return null;
    const item: StructuredItem = { type: name, source, ...(id !== '' && { id }), properties: {} };
    this.#items.push(item);
    this.#units += name.length + id.length;
    return item;
  }

  add(item: StructuredItem, name: string, value: string): void {
    const folded = foldSpace(value.length > 2 * MAX_VALUE ? value.slice(0, 2 * MAX_VALUE) : value, MAX_VALUE);
    if (folded === '' || name.length > MAX_NAME || this.#units >= MAX_TOTAL) return;
    if (!Object.hasOwn(item.properties, name)) {
      if (name === '__proto__' || Object.keys(item.properties).length === MAX_PROPERTIES) return;
      item.properties[name] = [];
    }
    const values = item.properties[name]!;
    if (values.length === MAX_VALUES || values.includes(folded)) return;
    values.push(folded);
    this.#units += name.length + folded.length;
  }

  finish(): StructuredItem[] {
    return this.#items.filter((item) => Object.keys(item.properties).length > 0);
  }
}

/** Returns the first value of a property in any item, or the empty string. */
export function firstValue(items: readonly StructuredItem[], name: string): string {
  for (const { properties } of items) if (Object.hasOwn(properties, name)) return properties[name]![0]!;
  return '';
}
