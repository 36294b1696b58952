/**
 * Resolves the URLs in a page to canonical URLs. Menus repeat their URLs, so each distinct URL is resolved only
 * once. Most URLs are so simple that the canonical form can be written without parsing: no query, no escapes, no
 * dot segments, and a host of lower-case letters. All other URLs go to `canonicalize`; a test compares both ways.
 */
import { type CanonicalUrl, canonicalize, MAX_URL_LENGTH } from '../../url/mod.ts';

const PLAIN_SEGMENTS = String.raw`[\w~-][\w.~-]*(?:\/[\w~-][\w.~-]*)*\/?`;
const FROM_ROOT = new RegExp(String.raw`^\/(?:${PLAIN_SEGMENTS})?$`);
const FROM_HERE = new RegExp(`^${PLAIN_SEGMENTS}$`);
/**
 * Matches absolute URLs that are already canonical. The last label of the host begins with a letter, so that
 * the host is not an IP address. Punycode names do not match.
 */
const WHOLE = new RegExp(
  String.raw`^(https?:\/\/(?!xn--|[^/]*\.xn--)(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9]+)(\/(?:${PLAIN_SEGMENTS})?)?$`,
);

export class AddressResolver {
  readonly #base: string;
  /**
   * The directory of the base URL, if simple relative URLs can be appended to it unchanged; otherwise null.
   */
  readonly #directory: string | null;
  readonly #origin: string | null;
  readonly #known = new Map<string, CanonicalUrl | null>();

  /** `url` is the URL of the page. `href` is the URL of its `<base>` element, if it has one. */
  constructor(url: CanonicalUrl, href: string | null = null) {
    this.#base = baseOf(url, href);
    const { origin, pathname } = new URL(this.#base);
    const isPlain = WHOLE.test(`${origin}${pathname}`);
    this.#origin = isPlain ? origin : null;
    this.#directory = isPlain ? origin + pathname.slice(0, pathname.lastIndexOf('/') + 1) : null;
  }

  resolve(address: string): CanonicalUrl | null {
    let url = this.#known.get(address);
    if (url === undefined) {
      url = this.#plain(address) ?? canonicalize(address, this.#base);
      this.#known.set(address, url);
    }
    return url;
  }

  #plain(address: string): CanonicalUrl | null {
    if (address.length > 1_000) return null;
    const whole = this.#written(address);
    return whole !== null && whole.length <= MAX_URL_LENGTH ? (whole as CanonicalUrl) : null;
  }

  #written(address: string): string | null {
    if (address.startsWith('/')) {
      return this.#origin !== null && FROM_ROOT.test(address) ? this.#origin + address : null;
    }
    if (address.startsWith('http')) {
      const match = WHOLE.exec(address);
      if (match) return match[2] === undefined ? `${address}/` : address;
    }
    return this.#directory !== null && FROM_HERE.test(address) ? this.#directory + address : null;
  }
}

/**
 * Returns the URL against which relative URLs are resolved. Its length is limited like the length of any URL,
 * because it becomes part of every link.
 */
function baseOf(url: CanonicalUrl, href: string | null): string {
  const base = href === null ? null : URL.parse(href, url);
  return base && /^https?:$/.test(base.protocol) && base.href.length <= MAX_URL_LENGTH ? base.href : url;
}
