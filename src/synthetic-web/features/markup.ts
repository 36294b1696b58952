/**
 * Features with bodies that do not match their declared type (`wrongTypes`), and with malformed HTML as
 * people write it (`brokenMarkup`). The ground truth about visible text and links agrees with the HTML
 * standard.
 */
import {
  type Document,
  dealPages,
  type FeatureContext,
  type FeaturePart,
  featurePageOf,
  randomFor,
  range,
} from '../feature.ts';
import { htmlResponse, type Place, type Visit, type WebResponse } from '../site.ts';

const PAGES_PER_HOST = 20;
const JUNK_BYTES = 4000;

export interface WrongTypeTruth extends Place {
  /** The Content-Type header; null if there is none. */
  declared: string | null;
  actual: 'html' | 'junk' | 'text';
  title: string;
  /** A word that the body contains, unless the body is junk. */
  uniqueWord: string;
}

const TYPES: Pick<WrongTypeTruth, 'declared' | 'actual'>[] = [
  { declared: 'image/png', actual: 'junk' },
  { declared: 'application/zip', actual: 'junk' },
  { declared: 'application/pdf', actual: 'junk' },
  { declared: 'text/html', actual: 'junk' },
  { declared: 'text/plain', actual: 'html' },
  { declared: 'application/octet-stream', actual: 'html' },
  { declared: 'image/jpeg', actual: 'html' },
  { declared: null, actual: 'html' },
  { declared: 'text/html; charset=utf-8', actual: 'text' },
  { declared: 'TEXT/HTML;Charset="UTF-8"', actual: 'html' },
];

/**
 * Plans `count` bodies that cycle through ten mismatches. Junk begins with the magic bytes of its declared
 * type.
 */
export function planWrongTypes(context: FeatureContext, count: number): FeaturePart<WrongTypeTruth> {
  const pages = range(count).map((number) => {
    const { declared, actual } = TYPES[number % TYPES.length]!;
    const document = context.document();
    const { title, uniqueWord } = document;
    const headers: Record<string, string> = declared === null ? {} : { 'content-type': declared };
    const respond = (): WebResponse => ({
      status: 200,
      headers,
      body: bodyOf(context, document, declared, actual),
    });
    return { path: `/download/${number}`, respond, truth: { declared, actual, title, uniqueWord } };
  });
  return dealPages(context, 'wrong-types', PAGES_PER_HOST, pages);
}

function bodyOf(
  context: FeatureContext,
  document: Document,
  declared: string | null,
  actual: WrongTypeTruth['actual'],
): Buffer {
  if (actual === 'html') return Buffer.from(featurePageOf(context, document));
  if (actual === 'text')
    return Buffer.from(`${document.title}\n\nFiled under ${document.uniqueWord}. 1 < 2 & 3 > 2.\n`);
  const random = randomFor(context, document.number);
  const magic = {
    'image/png': '\x89PNG\r\n\x1a\n',
    'application/zip': 'PK\x03\x04',
    'application/pdf': '%PDF-1.7\n',
  };
  const head = Buffer.from(magic[declared as keyof typeof magic] ?? '\x00\xff\xfe\x00', 'latin1');
  return Buffer.concat([head, Buffer.from(range(JUNK_BYTES).map(() => random.below(256)))]);
}

export interface BrokenMarkupTruth extends Place {
  kind: string;
  title: string;
  /** A word in the visible text. */
  uniqueWord: string;
  /** Links that a reader can click. Each leads to an existing page. */
  links: string[];
  /** URLs that occur in the source of the page but are not links. */
  notLinks: string[];
  /** A word in the source of the page that is not visible; the empty string if there is none. */
  hiddenWord: string;
}

interface BrokenCase {
  kind: string;
  notLinks?: string[];
  hides?: boolean;
  /** Returns the content of the title element, if it differs from the title. */
  fullTitle?(title: string): string;
  /** The query that the source of the page adds to the link. */
  query?: string;
  write(page: { title: string; word: string; hidden: string; link: string }): string;
}

const CASES: BrokenCase[] = [
  {
    kind: 'unclosed',
    write: ({ title, word, link }) =>
      `<html><head><title>${title}</title><body><div><p>One<p>Two <b>${word}<ul><li>a<li><a href=${link}>b`,
  },
  {
    kind: 'no-structure',
    write: ({ title, word, link }) => `<title>${title}</title>${word} <a href='${link}'>link</a>`,
  },
  {
    kind: 'misnested',
    write: ({ title, word, link }) =>
      `<title>${title}</title><p><b><i>${word}</b> <a href="${link}">x</p></a></i><table><p>in table</table>`,
  },
  {
    kind: 'stray-signs',
    query: '?a=1&b=2&copy=3',
    write: ({ title, word, link }) =>
      `<title>${title}</title><p>1 < 2 && 3 > 2 &amp &copy ${word} &bogus; <3 </ x> <a href="${link}?a=1&b=2&copy=3">x</a>`,
  },
  {
    kind: 'attributes',
    notLinks: ['/never'],
    write: ({ title, word, link }) =>
      `<TITLE>${title}</TITLE><A CLASS=x HREF = '${link}' href="/never" title="a > b" data-x>${word}</A>`,
  },
  {
    kind: 'scripts',
    notLinks: ['/never', '/never-2'],
    hides: true,
    write: ({ title, word, hidden, link }) =>
      `<title>${title}</title><script>var a = "<a href='/never'>${hidden}</a>"; if (1 < 2) { b("<!--"); }</script>` +
      `<style>p::after { content: "<a href=/never-2>" }</style><p>${word} <a href="${link}">x</a>`,
  },
  {
    kind: 'comments',
    notLinks: ['/never'],
    hides: true,
    write: ({ title, word, hidden, link }) =>
      `<title>${title}</title><!-- <a href="/never">${hidden}</a> -- > --><p>${word}<!--> <a href="${link}">x</a><!-- end`,
  },
  {
    kind: 'raw-text',
    notLinks: ['/never'],
    fullTitle: (title) => `${title} <b>bold</b>`,
    write: ({ title, word, link }) =>
      `<title>${title} <b>bold</b></title><textarea><a href="/never"></textarea><p>${word} <a href="${link}">x</a>`,
  },
  {
    kind: 'nul-bytes',
    write: ({ title, word, link }) => `<title>${title}</title>\0<p>\0${word}\0 <a href="${link}">x</a>\0`,
  },
  {
    kind: 'deep',
    write: ({ title, word, link }) =>
      `<title>${title}</title>${'<div>'.repeat(5000)}${word} <a href="${link}">x</a>${'</div>'.repeat(5000)}`,
  },
  {
    kind: 'base',
    write: ({ title, word, link }) =>
      `<title>${title}</title><base href="/linked/"><base href="/never/"><p>${word} <a href="${link.replace('/linked/', '')}">x</a>`,
  },
  {
    kind: 'entities',
    write: ({ title, word, link }) =>
      `<title>${title}</title><p>&#x7A;${word.slice(1)} <a href="&#47;${link.slice(1)}">x</a> <a href="\n ${link}\t">y</a>`,
  },
];

/** Plans `count` pages that cycle through twelve kinds of malformed markup. */
export function planBrokenMarkup(context: FeatureContext, count: number): FeaturePart<BrokenMarkupTruth> {
  const planned = range(count).map((number) => {
    const { kind, write, notLinks, hides, fullTitle, query } = CASES[number % CASES.length]!;
    const { title, uniqueWord } = context.document();
    const hidden = context.document().uniqueWord;
    const link = `/linked/${number}`;
    const source = write({ title, word: uniqueWord, hidden, link });
    const truth = {
      kind,
      title: fullTitle?.(title) ?? title,
      uniqueWord,
      links: [link + (query ?? '')],
      notLinks: notLinks ?? [],
      hiddenWord: hides ? hidden : '',
    };
    return { path: `/${kind}/${number}`, respond: () => htmlResponse(source), truth };
  });
  const part = dealPages(context, 'broken', PAGES_PER_HOST, planned);
  const target = context.document();
  const sites = part.sites.map((site) => ({
    host: site.host,
    answer: (visit: Visit) =>
      visit.path.startsWith('/linked/') ? htmlResponse(featurePageOf(context, target)) : site.answer(visit),
  }));
  return { ...part, sites };
}
