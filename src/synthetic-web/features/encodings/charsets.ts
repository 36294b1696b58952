/**
 * A feature with pages whose bytes are in one charset, while header and markup declare another one or none.
 * The ground truth has the text before encoding. `standard` is the charset that the HTML standard determines:
 * from a byte order mark, else the header, else the meta element, else windows-1252. If it differs from
 * `encodedAs`, only a crawler that examines the bytes decodes the page correctly.
 */
import { type Document, dealPages, type FeatureContext, type FeaturePart, range } from '../../feature.ts';
import type { Place, WebResponse } from '../../site.ts';
import { encodeText } from './charset-encoding.ts';

const PAGES_PER_HOST = 20;

export interface CharsetTruth extends Place {
  encodedAs: string;
  headerSays: string | null;
  metaSays: string | null;
  byteOrderMark: boolean;
  standard: string;
  title: string;
  /** The only paragraph of the page. */
  text: string;
  uniqueWord: string;
}

type Labels = Pick<CharsetTruth, 'encodedAs' | 'headerSays' | 'metaSays' | 'byteOrderMark'>;

const FRENCH = 'Voilà l’été : « déjà » cœur, naïveté, Noël — 20 € à peine, où l’on rêve encore.';
const GERMAN = 'Größe, Maß und Übermut: Fräulein Müller hört süße Töne über dem Fluß.';
const JAPANESE = '東京の夏は暑いです。カタカナとひらがな、そして漢字を読みます。';
const RUSSIAN = 'Съешь ещё этих мягких булок, а потом выпей горячего чаю.';
const SENTENCES: Record<string, string> = {
  'windows-1252': FRENCH,
  'utf-8': GERMAN,
  shift_jis: JAPANESE,
  'euc-jp': JAPANESE,
  'utf-16le': JAPANESE,
  'utf-16be': RUSSIAN,
  'windows-1251': RUSSIAN,
  'koi8-r': RUSSIAN,
};

const WRONG: Labels[] = [
  labels('windows-1252', 'utf-8', null),
  labels('utf-8', 'iso-8859-1', null),
  labels('utf-8', 'iso-8859-1', 'utf-8'),
  labels('shift_jis', 'utf-8', 'shift_jis'),
  labels('shift_jis', 'iso-8859-1', null),
  labels('utf-16le', 'utf-8', null, true),
  labels('koi8-r', 'windows-1251', null),
  labels('euc-jp', 'no-such-charset', 'euc-jp'),
  labels('utf-8', 'utf-8', 'windows-1252'),
];

const MISSING: Labels[] = [
  labels('windows-1252', null, 'windows-1252'),
  labels('shift_jis', null, 'shift_jis'),
  labels('windows-1251', null, 'windows-1251'),
  labels('utf-16le', null, null, true),
  labels('utf-16be', null, null, true),
  labels('utf-8', null, null, true),
  labels('utf-8', null, null),
  labels('windows-1252', null, null),
  labels('utf-8', null, 'utf-16le'),
];

/** Plans `count` pages that cycle through nine wrong declarations. */
export function planWrongCharset(context: FeatureContext, count: number): FeaturePart<CharsetTruth> {
  return planCharsets(context, 'wrong-charset', count, WRONG);
}

/** Plans `count` pages without a charset in the header. */
export function planMissingCharset(context: FeatureContext, count: number): FeaturePart<CharsetTruth> {
  return planCharsets(context, 'missing-charset', count, MISSING);
}

function planCharsets(
  context: FeatureContext,
  name: string,
  count: number,
  cases: Labels[],
): FeaturePart<CharsetTruth> {
  const pages = range(count).map((number) => {
    const said = cases[number % cases.length]!;
    const { uniqueWord, title }: Document = context.document();
    const text = `Filed under ${uniqueWord}. ${SENTENCES[said.encodedAs]}`;
    const truth = { ...said, standard: standardReading(said), title, text, uniqueWord };
    return { path: `/${said.encodedAs}/${number}`, respond: () => charsetPage(truth), truth };
  });
  return dealPages(context, name, PAGES_PER_HOST, pages);
}

function charsetPage(truth: Omit<CharsetTruth, keyof Place>): WebResponse {
  const meta = truth.metaSays ? `<meta charset="${truth.metaSays}">\n` : '';
  const mark = truth.byteOrderMark ? '\uFEFF' : '';
  const page = `${mark}<!doctype html>\n<html>\n<head>\n${meta}<title>${truth.title}</title>\n</head>\n<body>\n<p>${truth.text}</p>\n</body>\n</html>\n`;
  const type = truth.headerSays ? `text/html; charset=${truth.headerSays}` : 'text/html';
  return { status: 200, headers: { 'content-type': type }, body: encodeText(truth.encodedAs, page) };
}

/**
 * Returns the charset that the HTML standard determines. A browser treats `iso-8859-1` as windows-1252, and a
 * meta element with UTF-16 as UTF-8.
 */
function standardReading({ encodedAs, headerSays, metaSays, byteOrderMark }: Labels): string {
  if (byteOrderMark) return encodedAs;
  for (const label of [headerSays, metaSays]) {
    const charset = knownCharset(label);
    if (charset) return label === metaSays && charset.startsWith('utf-16') ? 'utf-8' : charset;
  }
  return 'windows-1252';
}

function knownCharset(label: string | null): string | undefined {
  try {
    return label === null ? undefined : new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

function labels(
  encodedAs: string,
  headerSays: string | null,
  metaSays: string | null,
  byteOrderMark = false,
): Labels {
  return { encodedAs, headerSays, metaSays, byteOrderMark };
}
