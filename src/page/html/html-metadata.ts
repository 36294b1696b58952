/** Collects the metadata of an HTML page, mostly from the elements of its head. */

import { MAX_ALTERNATES, MAX_GRAPH_PROPERTIES } from '../limits.ts';
import { applyRobotsMeta, MAX_ICONS, type RawIcon, ratingIn } from '../metadata/mod.ts';
import type { PageRating, RobotsDirectives } from '../page.ts';
import type { AttributeScanner } from './html-tokens.ts';

/** A link to an alternate of the page, as the page declares it. Its URL is not resolved yet. */
export interface RawAlternate {
  href: string;
  hreflang: string;
  type: string;
}

/** The names under which pages declare their publication date, most reliable first. */
const PUBLISHED = [
  ...'article:published_time datepublished dc.date.issued dcterms.issued dc.date.created dcterms.created'.split(
    ' ',
  ),
  ...'citation_publication_date parsely-pub-date sailthru.date publish-date publishdate pubdate'.split(' '),
  ...'dc.date dcterms.date date'.split(' '),
  'time published',
];
const MODIFIED = [
  ...'article:modified_time og:updated_time datemodified dc.date.modified dcterms.modified'.split(' '),
  ...'last-modified revised'.split(' '),
  'time modified',
];
const DATE_NAMES = new Set([...PUBLISHED, ...MODIFIED]);

/**
 * The metadata of a page. Each field has the first value that the page declares. Values are as written: their
 * white space is not folded, long ones are not cut, and URLs are not resolved.
 */
export class HtmlMetadata {
  title = '';
  description = '';
  language = '';
  rating: PageRating | undefined;
  base: string | null = null;
  canonical: string | null = null;
  readonly icons: RawIcon[] = [];
  readonly alternates: RawAlternate[] = [];
  /** The Open Graph properties by name, without the prefix `og:`. */
  readonly graph = new Map<string, string>();
  readonly #dates = new Map<string, string>();
  readonly #robots: RobotsDirectives;
  /** The number of `<time>` elements that do not say which date they give. */
  #plainTimes = 0;

  /** `robots` receives the robots directives that the page declares. */
  constructor(robots: RobotsDirectives) {
    this.#robots = robots;
  }

  readHtml(attributes: AttributeScanner): void {
    this.language ||= attributes.get('lang') ?? attributes.get('xml:lang') ?? '';
  }

  readBase(attributes: AttributeScanner): void {
    this.base ??= attributes.get('href');
  }

  readLink(attributes: AttributeScanner): void {
    const rel = attributes.get('rel');
    const href = rel === null ? null : attributes.get('href');
    if (rel === null || href === null) return;
    const tokens = attributeTokensOf(rel);
    if (tokens.includes('canonical')) this.canonical ??= href;
    else if (tokens.includes('icon')) this.#addIcon(href, attributes, false);
    else if (tokens.includes('apple-touch-icon')) this.#addIcon(href, attributes, true);
    else if (tokens.includes('alternate') && !tokens.includes('stylesheet'))
      this.#addAlternate(href, attributes);
  }

  /** Reads a `<meta>` element. If it is a `refresh` to another URL, returns the other URL; otherwise null. */
  readMeta(attributes: AttributeScanner): string | null {
    const content = attributes.get('content');
    if (content === null) return null;
    const name = attributes.get('name') ?? attributes.get('property') ?? attributes.get('itemprop') ?? '';
    this.#readNamed(name.trim().toLowerCase(), content);
    const pragma = attributes.get('http-equiv')?.trim().toLowerCase();
    if (pragma === 'content-language') this.language ||= content;
    return pragma === 'refresh' ? refreshTarget(content.trim()) : null;
  }

  readTime(attributes: AttributeScanner): void {
    const date = attributes.get('datetime');
    if (date === null) return;
    const of = `${attributes.get('itemprop') ?? ''} ${attributes.get('class') ?? ''}`;
    if (attributes.has('pubdate') || /publish/i.test(of)) this.#keepDate('time published', date);
    else if (/modified|updated/i.test(of)) this.#keepDate('time modified', date);
    else {
      this.#plainTimes++;
      this.#keepDate('time', date);
    }
  }

  /**
   * Candidates for the publication date, most reliable first. If a page has only one `<time>` element, this is
   * probably the date of the page.
   */
  get published(): string[] {
    const dates = this.#datesOf(PUBLISHED);
    if (this.#plainTimes === 1) dates.push(this.#dates.get('time')!);
    return dates;
  }

  get modified(): string[] {
    return this.#datesOf(MODIFIED);
  }

  #datesOf(names: readonly string[]): string[] {
    return this.#dates.size === 0 ? [] : names.flatMap((name) => this.#dates.get(name) ?? []);
  }

  #readNamed(name: string, content: string): void {
    if (name === 'description') this.description ||= content;
    else if (name === 'rating') this.rating ??= ratingIn(content);
    else if (DATE_NAMES.has(name)) this.#keepDate(name, content);
    else if (name.startsWith('og:')) this.#readGraph(name.slice(3), content);
    else applyRobotsMeta(this.#robots, name, content);
  }

  #readGraph(name: string, content: string): void {
    if (name !== '' && content !== '' && !this.graph.has(name) && this.graph.size < MAX_GRAPH_PROPERTIES) {
      this.graph.set(name, content);
    }
  }

  #addIcon(href: string, attributes: AttributeScanner, isTouchIcon: boolean): void {
    if (this.icons.length === MAX_ICONS) return;
    const [sizes, type] = [attributes.get('sizes') ?? '', attributes.get('type') ?? ''];
    this.icons.push({ href, sizes, type, isTouchIcon });
  }

  #addAlternate(href: string, attributes: AttributeScanner): void {
    if (this.alternates.length === MAX_ALTERNATES) return;
    this.alternates.push({
      href,
      hreflang: attributes.get('hreflang') ?? '',
      type: attributes.get('type') ?? '',
    });
  }

  #keepDate(name: string, date: string): void {
    if (!this.#dates.has(name)) this.#dates.set(name, date);
  }
}

/** Splits the value of an attribute such as `rel` into tokens in lower case. */
export function attributeTokensOf(list: string): string[] {
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((token) => token !== '');
}

/**
 * Returns the URL of a `refresh`: `5; url='next.html'` gives `next.html`. Returns null if it only reloads the
 * page.
 */
function refreshTarget(content: string): string | null {
  const separator = content.search(/[;,\s](?![;,\s])/);
  if (separator < 0) return null;
  const target = content.slice(separator + 1).replace(/^url\s*=\s*/i, '');
  const quote = target[0] ?? '';
  const unquoted = quote === '"' || quote === "'" ? target.slice(1).split(quote, 1)[0]! : target;
  return unquoted || null;
}
