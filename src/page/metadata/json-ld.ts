/**
 * Reads JSON-LD, the content of `<script type="application/ld+json">`: an object, a list of objects, or a
 * `@graph` of them. An object inside another becomes properties of the outer one.
 *
 * Contexts are neither fetched nor applied: nearly all are schema.org's, whose terms are the names as written.
 */
import type { StructuredItem } from '../page.ts';
import { MAX_NESTING, type StructuredData } from './structured-data.ts';

type Thing = Record<string, unknown>;

export const MAX_JSON_LD = 500_000;
const MAX_LIST = 100;
export const MAX_ID = 500;

export function readJsonLd(json: string, into: StructuredData): void {
  try {
    addThings(JSON.parse(json), into, 0);
  } catch {
    // Invalid JSON is ignored.
  }
}

function addThings(value: unknown, into: StructuredData, depth: number): void {
  if (into.isFull || depth > MAX_NESTING) return;
  if (Array.isArray(value)) {
    for (const each of value.slice(0, MAX_LIST)) addThings(each, into, depth + 1);
  } else if (isThing(value)) {
    const type = firstString(value['@type']);
    const item = type === '' ? null : into.begin(type, 'json-ld', idOf(value));
    if (item) addProperties(value, item, '', into, 1);
    addThings(value['@graph'], into, depth + 1);
  }
}

function addProperties(
  thing: Thing,
  item: StructuredItem,
  prefix: string,
  into: StructuredData,
  depth: number,
): void {
  for (const name in thing) {
    if (!name.startsWith('@')) addValue(thing[name], item, prefix + name, into, depth);
  }
}

function addValue(
  value: unknown,
  item: StructuredItem,
  name: string,
  into: StructuredData,
  depth: number,
): void {
  if (typeof value === 'string') into.add(item, name, value);
  else if (typeof value === 'number' || typeof value === 'boolean') into.add(item, name, String(value));
  else if (Array.isArray(value)) {
    if (depth > MAX_NESTING) return;
    for (const each of value.slice(0, MAX_LIST)) addValue(each, item, name, into, depth + 1);
  } else if (isThing(value)) {
    if ('@value' in value) addValue(value['@value'], item, name, into, MAX_NESTING + 1);
    else if (depth < MAX_NESTING) addProperties(value, item, `${name}.`, into, depth + 1);
  }
}

function isThing(value: unknown): value is Thing {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function idOf({ '@id': id }: Thing): string {
  return typeof id === 'string' ? id.slice(0, MAX_ID) : '';
}

function firstString(value: unknown): string {
  const first = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' ? first : '';
}
