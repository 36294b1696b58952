/** Finds the records of a page by the operator's rules for its site. */
import { type CanonicalUrl, hostOf, pathOf } from '../../url/mod.ts';
import { parseContentType } from '../content-type.ts';
import type { StructuredItem } from '../page.ts';
import type { PageInput } from '../page-input.ts';
import { declaredCharset, foldSpace, toUtf8 } from '../text/mod.ts';
import { findListRecords } from './list-records.ts';
import { type PageElement, readPageTree, textOfElement } from './page-tree.ts';
import type { PropertyRule, RecordRule, SiteRecordRules } from './record-rules.ts';
import { selectAll } from './selector.ts';

const MAX_RECORDS = 500;
const MAX_VALUES = 50;
const MAX_VALUE = 4000;
/** The attributes that hold a URL, which is resolved. */
const URL_ATTRIBUTES = new Set(['href', 'src', 'data-href', 'data-src', 'action']);

/** Record rules see at most this part of a page. */
const MAX_SOURCE_BYTES = 4 * 1024 * 1024;

/** Returns a function that finds the records of a page by the rules that are in force when it is called. */
export function recordFinder(rules: {
  rulesFor(url: CanonicalUrl): readonly SiteRecordRules[];
}): (input: PageInput) => StructuredItem[] {
  return ({ url, contentType, body }) => {
    const found = rules.rulesFor(url);
    if (found.length === 0) return [];
    const { charset } = parseContentType(contentType);
    const source = toUtf8(body.subarray(0, MAX_SOURCE_BYTES), charset, declaredCharset);
    return applyRules(found, url, source.toString());
  };
}

/** Returns the rules that apply to a URL. */
export function rulesFor(rules: readonly SiteRecordRules[], url: CanonicalUrl): SiteRecordRules[] {
  const host = hostOf(url);
  const path = pathOf(url);
  return rules.filter(
    ({ site, path: begin }) => (host === site || host.endsWith(`.${site}`)) && path.startsWith(begin),
  );
}

/** Returns the records that these rules find in a page. `source` is its HTML. */
function applyRules(rules: readonly SiteRecordRules[], url: CanonicalUrl, source: string): StructuredItem[] {
  const root = readPageTree(source);
  const found: StructuredItem[] = [];
  for (const { file, records, list } of rules) {
    for (const record of records) found.push(...recordsOf(record, `rule ${file}:${record.line}`, url, root));
    if (list === null) continue;
    for (const { properties } of findListRecords(root, url)) {
      found.push({ type: list.type, source: `list ${file}:${list.line}`, properties });
    }
  }
  return found.slice(0, MAX_RECORDS);
}

function recordsOf(rule: RecordRule, source: string, url: CanonicalUrl, root: PageElement): StructuredItem[] {
  const elements = rule.each === null ? [root] : selectAll(rule.each, root, MAX_RECORDS);
  return elements.flatMap((element) => {
    const properties: Record<string, string[]> = {};
    let isFound = false;
    for (const property of rule.properties) {
      const values = valuesOf(property, element, url);
      if (values.length === 0) continue;
      properties[property.name] = [...(properties[property.name] ?? []), ...values];
      isFound ||= property.selector !== null;
    }
    return isFound ? [{ type: rule.type, source, properties }] : [];
  });
}

function valuesOf(rule: PropertyRule, element: PageElement, url: CanonicalUrl): string[] {
  const { selector, attribute, isMany, fixed } = rule;
  if (selector === null) return [fixed];
  const found = selectAll(selector, element, isMany ? MAX_VALUES : 1);
  const values = found.map((match) =>
    attribute === null ? textOfElement(match) : attributeOf(match, attribute, url),
  );
  return values.map((value) => foldSpace(value, MAX_VALUE)).filter((value) => value !== '');
}

function attributeOf({ attributes }: PageElement, name: string, url: CanonicalUrl): string {
  const value = attributes.get(name)?.trim() ?? '';
  return value !== '' && URL_ATTRIBUTES.has(name) ? (URL.parse(value, url)?.href ?? value) : value;
}
