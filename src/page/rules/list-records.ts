/**
 * Recognizes the entries of a list page, such as search results, offers or postings, without markup or rules.
 *
 *   1. Sibling elements with the same tag and the same first class are a group, if there are at least MIN_ENTRIES.
 *   2. Groups in menus, headers and footers do not count, nor entries that are only a link or without one.
 *   3. The group with the most text in entries with a link wins. Nested groups lose, because the outer one has more text.
 *
 * The properties of an entry are guessed from its elements: `name` (heading, or the longest link text), `url` (the link
 * of the name), `image`, `datePublished`, `price` with `priceCurrency`, and `description` (the longest other text).
 */
import type { CanonicalUrl } from '../../url/mod.ts';
import { descendantsOf, type PageElement, textOfElement } from './page-tree.ts';

const MIN_ENTRIES = 4;
const MAX_ENTRIES = 200;
const MIN_TEXT = 20;
const MAX_ELEMENTS = 100_000;
const MAX_TEXT = 2000;
const OUTSIDE = /^(?:nav|header|footer|aside|form|select|head|tr|thead|svg|dl|p|h[1-6])$/;
const OUTSIDE_ROLE = /^(?:navigation|banner|contentinfo|menu|menubar)$/;
const ENTRY = /^(?:li|div|article|section|tr|a|dd)$/;
const HEADING = /^h[1-6]$/;
const PRICE =
  /(?:^|[^\w.,])(?:([€$£¥]|(?:EUR|USD|GBP|CHF|JPY)\b)\s?(\d[\d.,']{0,12})|(\d[\d.,']{0,12})\s?([€$£¥]|(?:EUR|USD|GBP|CHF|JPY)\b))/;
const CURRENCIES: Readonly<Record<string, string>> = { '€': 'EUR', $: 'USD', '£': 'GBP', '¥': 'JPY' };
const DATE =
  /\b(\d{4}-\d{2}-\d{2}|\d{1,2}\.\d{1,2}\.\d{4}|\d{1,2} [A-Z][a-z]{2,8} \d{4}|[A-Z][a-z]{2,8} \d{1,2}, \d{4})\b/;

interface ListEntry {
  properties: Record<string, string[]>;
}

/** Returns the entries of the main list of a page, in document order; empty if the page has none. */
export function findListRecords(root: PageElement, url: CanonicalUrl): ListEntry[] {
  let best: PageElement[] = [];
  let bestSize = 0;
  for (const group of groupsIn(root)) {
    const size = sizeOf(group);
    if (size > bestSize) [best, bestSize] = [group, size];
  }
  return best.slice(0, MAX_ENTRIES).flatMap((entry) => readEntry(entry, url) ?? []);
}

function* groupsIn(root: PageElement): Generator<PageElement[]> {
  let left = MAX_ELEMENTS;
  const waiting = [root];
  for (let next = waiting.pop(); next && left-- > 0; next = waiting.pop()) {
    if (isOutside(next)) continue;
    const alike = Map.groupBy(
      next.children.filter(({ name }) => ENTRY.test(name)),
      ({ name, attributes }) => `${name}.${attributes.get('class')?.trim().split(/\s+/, 1)[0] ?? ''}`,
    );
    for (const group of alike.values()) if (group.length >= MIN_ENTRIES) yield group;
    waiting.push(...next.children);
  }
}

/** A table row may be an entry, but its cells are not entries of a list of their own. */
function isOutside({ name, attributes }: PageElement): boolean {
  return OUTSIDE.test(name) || OUTSIDE_ROLE.test(attributes.get('role') ?? '');
}

/** Returns the length of the text of all entries with a link; 0 if fewer than three in four have one, or little text. */
function sizeOf(group: readonly PageElement[]): number {
  const entries = group.filter(
    (entry) => linksOf(entry).length > 0 && textOfElement(entry).length >= MIN_TEXT,
  );
  if (entries.length < MIN_ENTRIES || entries.length * 4 < group.length * 3) return 0;
  return entries.reduce((sum, entry) => {
    const text = textOfElement(entry).length;
    const linked = linksOf(entry).reduce((length, link) => length + textOfElement(link).length, 0);
    // A menu consists of links only. Whole entries may also be one link around a heading and a text.
    return sum + (text - linked >= MIN_TEXT / 2 || isCard(entry) ? Math.min(text, MAX_TEXT) : 0);
  }, 0);
}

function isCard(entry: PageElement): boolean {
  const [link] = linksOf(entry);
  return link !== undefined && [...descendantsOf(link)].some(({ name }) => HEADING.test(name));
}

function linksOf(entry: PageElement): PageElement[] {
  return [entry, ...descendantsOf(entry)].filter(
    ({ name, attributes }) => name === 'a' && attributes.has('href'),
  );
}

function readEntry(entry: PageElement, url: CanonicalUrl): ListEntry | null {
  const inside = [...descendantsOf(entry)];
  const links = linksOf(entry);
  const heading = inside.find(({ name }) => HEADING.test(name));
  const longest = links.toSorted((a, b) => textOfElement(b).length - textOfElement(a).length)[0];
  const titled = heading ?? longest;
  const name = titled ? textOfElement(titled) : '';
  if (name === '') return null;
  const inHeading = heading && links.find((link) => isWithin(link, heading) || isWithin(heading, link));
  const text = textOfElement(entry);
  const price = PRICE.exec(text);
  const time = inside.find((element) => element.name === 'time');
  const image = inside.find((element) => element.name === 'img');
  const unit = price?.[1] ?? price?.[4] ?? '';
  const guessed: Record<string, string | undefined> = {
    name,
    url: addressIn(inHeading ?? longest, 'href', url),
    image: addressIn(image, 'src', url),
    datePublished: time?.attributes.get('datetime') ?? DATE.exec(text)?.[1],
    price: price?.[2] ?? price?.[3],
    priceCurrency: CURRENCIES[unit] ?? unit,
    description: descriptionIn(inside, name),
  };
  const known = Object.entries(guessed).filter((pair): pair is [string, string] => Boolean(pair[1]));
  return { properties: Object.fromEntries(known.map(([property, value]) => [property, [value]])) };
}

function isWithin(inner: PageElement, outer: PageElement): boolean {
  for (let at: PageElement | null = inner; at; at = at.parent) if (at === outer) return true;
  return false;
}

function addressIn(
  element: PageElement | undefined,
  attribute: string,
  url: CanonicalUrl,
): string | undefined {
  const value = element?.attributes.get(attribute);
  return value === undefined ? undefined : (URL.parse(value, url)?.href ?? undefined);
}

/** Returns the longest text of one element that has no elements with text of their own, other than the name. */
function descriptionIn(inside: readonly PageElement[], name: string): string | undefined {
  const texts = inside
    .filter(({ name: tag, children }) => /^(?:p|div|span|td|dd|blockquote)$/.test(tag) && children.length < 5)
    .map(textOfElement)
    .filter((text) => text.length >= MIN_TEXT && !text.includes(name));
  return texts.sort((a, b) => b.length - a.length)[0]?.slice(0, MAX_TEXT);
}
