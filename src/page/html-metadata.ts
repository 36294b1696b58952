/** What an HTML page says about itself rather than to its reader: the elements of its head. */
import type { AttributeScanner } from './html-tokens.ts';
import type { RobotsDirectives } from './page.ts';
import { applyRobotsMeta } from './robots-directives.ts';

/** Fields hold what was written first, neither folded nor cut nor resolved. */
export class HtmlMetadata {
  title = '';
  openGraphTitle = '';
  description = '';
  openGraphDescription = '';
  language = '';
  base: string | null = null;
  canonical: string | null = null;
  readonly #robots: RobotsDirectives;

  /** Restrictions that the page makes are added to `robots`. */
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
    if (this.canonical !== null || !hasToken(attributes.get('rel'), ['canonical'])) return;
    this.canonical = attributes.get('href');
  }

  /** Returns the address that the page asks to be left for, if this is a `refresh` with one. */
  readMeta(attributes: AttributeScanner): string | null {
    const content = attributes.get('content');
    if (content === null) return null;
    this.#readNamed(attributes.get('name') ?? attributes.get('property') ?? '', content);
    const pragma = attributes.get('http-equiv')?.trim().toLowerCase();
    if (pragma === 'content-language') this.language ||= content;
    return pragma === 'refresh' ? refreshTarget(content.trim()) : null;
  }

  #readNamed(rawName: string, content: string): void {
    const name = rawName.trim().toLowerCase();
    if (name === 'description') this.description ||= content;
    else if (name === 'og:description') this.openGraphDescription ||= content;
    else if (name === 'og:title') this.openGraphTitle ||= content;
    else applyRobotsMeta(this.#robots, name, content);
  }
}

/** Whether a list such as `rel` has one of these tokens, which are in lower case. */
export function hasToken(list: string | null, tokens: string[]): boolean {
  if (!list) return false;
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((token) => tokens.includes(token));
}

/** `5; url='next.html'` goes to `next.html`; null if it only reloads the page. */
function refreshTarget(content: string): string | null {
  const separator = content.search(/[;,\s](?![;,\s])/);
  if (separator < 0) return null;
  const target = content.slice(separator + 1).replace(/^url\s*=\s*/i, '');
  const quote = target[0] ?? '';
  const unquoted = quote === '"' || quote === "'" ? target.slice(1).split(quote, 1)[0]! : target;
  return unquoted || null;
}
