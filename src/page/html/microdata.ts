/**
 * Reads microdata and RDFa Lite: `itemscope` or `typeof` begins an item, `itemprop` or `property` a property of the
 * item around it. The value of a property is an attribute if the element has one for it (`<meta content>`,
 * `<time datetime>`, `<a href>`), otherwise the text inside. The text is complete only when the whole page is read, so
 * properties are first recorded as ranges of the text.
 */

import { MAX_ID, MAX_NESTING, type StructuredData } from '../metadata/mod.ts';
import type { StructuredItem } from '../page.ts';
import type { Tag } from './html-tags.ts';
import { type AttributeScanner, Note } from './html-tokens.ts';

const MAX_OPEN = 64;
const MAX_PROPERTIES = 1_000;

/** For each element, the name of the attribute that has the value of a property. */
const VALUE_IN: Record<string, string> = {
  a: 'href',
  area: 'href',
  link: 'href',
  img: 'src',
  image: 'src',
  iframe: 'src',
  embed: 'src',
  audio: 'src',
  video: 'src',
  source: 'src',
  object: 'data',
  meta: 'content',
  time: 'datetime',
  data: 'value',
  meter: 'value',
};

interface Item {
  type: string;
  source: 'microdata' | 'rdfa';
  id: string;
  /** The outer item and the name of its property, if this item is the value of a property of another item. */
  owner: Item | null;
  name: string;
  written: StructuredItem | null;
}

interface Property {
  item: Item;
  name: string;
  /** The value of the property from an attribute; null if the value is the text from `start` to `end`. */
  value: string | null;
  start: number;
  end: number;
}

interface Open {
  depth: number;
  item: Item | null;
  property: Property | null;
}

export class Microdata {
  readonly #items: Item[] = [];
  readonly #properties: Property[] = [];
  readonly #open: Open[] = [];
  #innermost = 0;

  /** The depth of the innermost open element that has microdata; 0 if there is none. */
  get innermost(): number {
    return this.#innermost;
  }

  /** Handles a start tag. `depth` is the depth of the element, or 0 if the element has no content. */
  enter(tag: Tag, attributes: AttributeScanner, depth: number, units: number): void {
    const owner = this.#around();
    const name = propertyOf(attributes, owner);
    if ((attributes.notes & Note.item) !== 0) this.#begin(attributes, owner, name, depth);
    else if (owner && name !== '') this.#addProperty(tag, attributes, owner, name, depth, units);
  }

  leave(depth: number, units: number): void {
    while (this.#innermost > depth) {
      const { property } = this.#open.pop()!;
      if (property) property.end = units;
      this.#innermost = this.#open.at(-1)?.depth ?? 0;
    }
  }

  finish(text: string, into: StructuredData): void {
    this.leave(0, text.length);
    for (const item of this.#items)
      if (!item.owner) item.written = into.begin(item.type, item.source, item.id);
    for (const { item, name, value, start, end } of this.#properties) {
      const { root, path } = placeOf(item, name);
      if (root.written) into.add(root.written, path, value ?? text.slice(start, Math.min(end, start + 1000)));
    }
  }

  #around(): Item | null {
    return this.#open.findLast(({ item }) => item !== null)?.item ?? null;
  }

  #begin(attributes: AttributeScanner, owner: Item | null, name: string, depth: number): void {
    if (depth === 0 || this.#open.length === MAX_OPEN || this.#items.length === MAX_PROPERTIES) return;
    const isRdfa = !attributes.has('itemscope');
    const type = firstToken(attributes.get(isRdfa ? 'typeof' : 'itemtype'));
    const id = (attributes.get(isRdfa ? 'resource' : 'itemid') ?? '').trim().slice(0, MAX_ID);
    const source = isRdfa ? 'rdfa' : 'microdata';
    const item: Item = { type, source, id, owner: name === '' ? null : owner, name, written: null };
    this.#items.push(item);
    this.#push({ depth, item, property: null });
  }

  #addProperty(
    tag: Tag,
    attributes: AttributeScanner,
    item: Item,
    name: string,
    depth: number,
    units: number,
  ): void {
    if (this.#open.length === MAX_OPEN || this.#properties.length === MAX_PROPERTIES) return;
    const value = attributes.get('content') ?? attributes.get(VALUE_IN[tag.name] ?? 'content');
    if (value === null && depth === 0) return;
    const property: Property = { item, name, value, start: units, end: units };
    this.#properties.push(property);
    if (value === null) this.#push({ depth, item: null, property });
  }

  #push(open: Open): void {
    this.#open.push(open);
    this.#innermost = open.depth;
  }
}

/**
 * Returns the name of the property that an element states, or an empty string. `property` counts only within an
 * RDFa item, because the head of nearly every page has it for Open Graph.
 */
function propertyOf(attributes: AttributeScanner, owner: Item | null): string {
  if (owner?.source !== 'rdfa') return firstToken(attributes.get('itemprop'));
  return firstToken(attributes.get('property')).replace(/^schema:|^https?:\/\/schema\.org\//, '');
}

function firstToken(list: string | null): string {
  return list?.trim().split(/\s+/, 1)[0] ?? '';
}

/**
 * Returns the outermost item that contains `item`, and the dotted name of the property in that item:
 * `offers.price`.
 */
function placeOf(item: Item, name: string): { root: Item; path: string } {
  let root = item;
  let path = name;
  for (let nesting = 1; root.owner && nesting < MAX_NESTING; nesting++) {
    path = `${root.name}.${path}`;
    root = root.owner;
  }
  return { root, path };
}
