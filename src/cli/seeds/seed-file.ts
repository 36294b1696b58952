/**
 * Reads a seed file of any of these formats, which are recognized by their beginning:
 *
 *   text        one seed per line, as in seed.ts; empty lines and comments (`#`) are skipped
 *   OPML        the feeds and sites of a feed reader: `xmlUrl`, `htmlUrl` and `url` of each outline
 *   bookmarks   the HTML file that browsers export: the `href` of each link
 *   sitemap     the `<loc>` of each entry
 *   feed        RSS or Atom: the link of each entry
 *
 * The files are the operator's own, so a scan for the tags with URLs is enough. Each entry keeps its line
 * number, by which invalid entries are reported; the other entries are used.
 */
import { messageOf, UsageError } from '../../base/mod.ts';
import { readSeedLine, type Seed } from './seed.ts';

interface SeedList {
  seeds: Seed[];
  problems: { line: number; reason: string }[];
}

/** A URL in markup, and the number of its line. */
interface Entry {
  address: string;
  line: number;
}

const BOOKMARK_SCHEMES = /^(?:https?:|[^:]*$)/i;

export function readSeedFile(text: string): SeedList {
  const list: SeedList = { seeds: [], problems: [] };
  for (const { address, line } of entriesOf(text.replace(/^\ufeff/, ''))) {
    try {
      list.seeds.push(readSeedLine(address));
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      list.problems.push({ line, reason: messageOf(error) });
    }
  }
  return list;
}

function entriesOf(text: string): Entry[] {
  const opening = text.slice(0, 4096).toLowerCase();
  if (/<opml[\s>]/.test(opening))
    return attributesOf(text, /<outline\s[^>]*>/gi, ['xmlUrl', 'htmlUrl', 'url']);
  if (/<(?:urlset|sitemapindex)[\s>]/.test(opening)) return contentsOf(text, /<loc>([^<]*)<\/loc>/gi);
  if (/<feed[\s>]/.test(opening))
    return attributesOf(text, /<link\s(?![^>]*rel=(?:"|')(?!alternate))[^>]*>/gi, ['href']);
  if (/<(?:rss|rdf:rdf)[\s>]/.test(opening)) return contentsOf(text, /<link>([^<]*)<\/link>/gi);
  if (/<!doctype netscape-bookmark|<a\s/.test(opening)) {
    // Bookmarks that are scripts or pages of the browser are ignored; they are not reported as errors.
    return attributesOf(text, /<a\s[^>]*>/gi, ['href']).filter(({ address }) =>
      BOOKMARK_SCHEMES.test(address),
    );
  }
  return text.split(/\r\n?|\n/).flatMap((line, index) => {
    const isEmpty = line.replace(/(?:^|\s)#.*$/, '').trim() === '';
    return isEmpty ? [] : [{ address: line, line: index + 1 }];
  });
}

function attributesOf(text: string, tags: RegExp, names: readonly string[]): Entry[] {
  const line = lineCounter(text);
  return [...text.matchAll(tags)].flatMap((tag) =>
    names.flatMap((name) => {
      const value = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'i').exec(tag[0]);
      const address = unescaped(value?.[1] ?? value?.[2] ?? '');
      return address === '' ? [] : [{ address, line: line(tag.index) }];
    }),
  );
}

function contentsOf(text: string, tags: RegExp): Entry[] {
  const line = lineCounter(text);
  return [...text.matchAll(tags)].map((tag) => ({ address: unescaped(tag[1]!), line: line(tag.index) }));
}

/** Returns a function that gives the line number of a position. The positions must ascend. */
function lineCounter(text: string): (at: number) => number {
  let line = 1;
  let counted = 0;
  return (at) => {
    for (let next = text.indexOf('\n', counted); next >= 0 && next < at; next = text.indexOf('\n', counted)) {
      line++;
      counted = next + 1;
    }
    return line;
  };
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * Decodes the five named character references of XML, and numeric references. Removes the white space in and
 * around a URL.
 */
function unescaped(text: string): string {
  return text
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (all, decimal, hex, name) => {
      const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
      if (name) return NAMED[name.toLowerCase()] ?? all;
      return code <= 0x10ffff ? String.fromCodePoint(code) : all;
    })
    .replace(/\s+/g, '');
}
