/**
 * A message with links on their way to the owner of a vnode. It has links from many pages:
 *
 *   version    u8       1
 *   pages      until the end of the message:
 *     source   text     the page with the links; empty for seeds
 *     depth    varint   the depth of the links
 *     count    varint   the number of links
 *     links    count times:
 *       start  varint   2 × the number of first characters that the URL shares with the previous URL, plus 1 if the
 *                       link is followed but not indexed; the source precedes the first link
 *       rest   text     the other characters of the URL
 *
 * A text is a varint with the number of its bytes, and UTF-8. Canonical URLs are ASCII.
 *
 * Two links from `https://a.test/` with depth 3, to `https://b.test/` and to `https://b.test/c`, which is not indexed:
 *
 *   01  0F https://a.test/  03  02  10 07 b.test/  1F 01 c
 *
 * Fingerprints are not sent: the receiver computes them, so they always fit the URLs.
 */
import { ByteReader, ByteWriter, CorruptError, GyreError } from '../../base/mod.ts';
import { type Links, linksTo } from '../../crawl/mod.ts';
import { type CanonicalUrl, canonicalize } from '../../url/mod.ts';

const VERSION = 1;
const NAME = 'message with links';

/** Links of one page, or seeds if `source` is null. */
export interface SentLinks {
  links: Links;
  source: CanonicalUrl | null;
}

/** A link as the sender adds it to a message. */
export interface OutgoingLink {
  url: CanonicalUrl;
  isFollowOnly: boolean;
}

export class LinkMessageWriter {
  readonly #bytes = new ByteWriter(4096);

  constructor() {
    this.#bytes.u8(VERSION);
  }

  get length(): number {
    return this.#bytes.length;
  }

  add(links: readonly OutgoingLink[], depth: number, source: CanonicalUrl | null): void {
    let previous: string = source ?? '';
    this.#bytes.text(previous);
    this.#bytes.varint(depth);
    this.#bytes.varint(links.length);
    for (const { url, isFollowOnly } of links) {
      const shared = countEqualStart(previous, url);
      this.#bytes.varint(shared * 2 + Number(isFollowOnly));
      this.#bytes.text(url.slice(shared));
      previous = url;
    }
  }

  /** Returns the message. Nothing may be added afterwards. */
  finish(): Buffer {
    return this.#bytes.view();
  }
}

/**
 * Decodes a message. Throws the error `link-message-version` if another version of Gyre has written it, and a
 * `CorruptError` if it is malformed.
 */
export function decodeLinkMessage(message: Uint8Array): SentLinks[] {
  const reader = new ByteReader(message, NAME);
  const version = reader.u8();
  if (version !== VERSION)
    throw new GyreError(
      'link-message-version',
      `${NAME}: expected version ${VERSION}, got ${version}; run the same version of Gyre on all nodes`,
    );
  const pages: SentLinks[] = [];
  while (reader.remaining > 0) pages.push(readPage(reader));
  return pages;
}

function readPage(reader: ByteReader): SentLinks {
  const start = reader.at;
  const text = reader.text();
  const source = text === '' ? null : checkCanonical(text, start);
  const depth = reader.varint();
  const count = reader.varint();
  const urls: CanonicalUrl[] = [];
  const followOnly: number[] = [];
  let previous = text;
  for (let index = 0; index < count; index++) {
    const offset = reader.at;
    const shared = reader.varint();
    if (shared % 2 === 1) followOnly.push(index);
    const url = checkCanonical(previous.slice(0, shared >>> 1) + reader.text(), offset);
    urls.push(url);
    previous = url;
  }
  return { links: packLinks(urls, depth, followOnly), source };
}

/** Packs links. `followOnly` has the indexes of the links that are followed but not indexed. */
export function packLinks(
  urls: readonly CanonicalUrl[],
  depth: number,
  followOnly: readonly number[],
): Links {
  const links = linksTo(urls, depth);
  return followOnly.length > 0 ? { ...links, followOnly } : links;
}

function checkCanonical(url: string, offset: number): CanonicalUrl {
  if (canonicalize(url) !== url) throw new CorruptError(NAME, offset, 'a canonical URL', JSON.stringify(url));
  return url as CanonicalUrl;
}

function countEqualStart(left: string, right: string): number {
  const limit = Math.min(left.length, right.length);
  let equal = 0;
  while (equal < limit && left.charCodeAt(equal) === right.charCodeAt(equal)) equal++;
  return equal;
}
