/**
 * Makes random documents and queries in several languages, with anchor texts, links, synonyms and host signals.
 * Tests compare search engines with them.
 */
import { type Directory, type Random, silentLog } from '../../base/mod.ts';
import type { AnchorText, AnchorTexts } from '../../index/anchors/anchor-lists-format.ts';
import { Field, type HostSignalsOf, type IndexDocument, IndexWriter } from '../../index/mod.ts';
import { mergeIfDue } from '../../index/segment/documents.fixture.ts';
import { DEFAULT_STEMMING, stemmingOf, termOf } from '../../text/mod.ts';
import { canonicalize } from '../../url/mod.ts';
import { Synonyms } from '../assistance/synonyms/synonyms.ts';
import type { LinkLookup, QueryLookups } from '../language/lookups.ts';
import { addSegment, makeDocument, stemmingsOf, tokensOf } from './naive.fixture.ts';

const WORDS = [
  'the',
  'the',
  'the',
  'of',
  'http',
  'client',
  'fooBarBaz',
  'foo_bar',
  'bar',
  'alpha',
  'beta',
  'run',
  'running',
  'runs',
  'häuser',
  'haus',
  'c++',
  'rust',
  'café',
  '東京都',
  'x1東',
  'x1東京',
  'x1',
  'kinder',
  'kind',
  'care',
  'car',
  'résumé',
  'resume',
  'informações',
  'informacoes',
  'été',
  'ete',
  "l'été",
  'straße',
];
export const HOSTS = ['alpha.example', 'beta.example', 'sub.alpha.example'];
/** The languages of random documents. The test words have different stems in these languages. */
const LANGUAGES = ['en', 'en', 'en-gb', 'de', 'fr', 'nl', 'pt', '', 'pl', 'ja'];
const TYPES = [
  'html',
  'html/news',
  'html/product',
  'xml/feed',
  'pdf',
  'html.md',
  '.txt/news',
  'html/listing',
  '',
];
const LAST_DAY = 20_000;
const ROUNDS = 12;

export const SYNONYMS = new Synonyms(
  [{ word: 'client', other: 'rust' }],
  [
    { first: 'absent', second: 'haus', weight: 0.3 },
    { first: 'care', second: 'kinder', weight: 0.4 },
    { first: 'alpha', second: 'running', weight: 0.25 },
  ],
);

/** A link graph among the documents. The bits of their fingerprints decide which pages link to which. */
export const LINKS: LinkLookup = {
  generation: 1,
  hasLinks: true,
  linksTo: (url) => HOSTS.map((host) => canonicalize(`https://${host}/?${url.length % 25}`)!),
  documentOf: (url) => url,
};

/**
 * The anchor texts of the test documents. The bits of a document's fingerprint decide which of them the
 * document has. The words `called` and most words after it occur only in anchor texts, not in documents.
 */
const TEXTS: readonly AnchorText[] = [
  { text: 'the http client runs', weight: 30 },
  { text: 'click alpha', weight: 2.3 },
  { text: 'alpha alpha called häuser', weight: 1 },
  { text: 'C++ called', weight: 0.25 },
  { text: 'calls 東京都', weight: 0.01 },
  { text: 'care for kinder', weight: 1.5 },
];
/**
 * Queries for phrases. Some phrases are within an anchor text; others would span two anchor texts and must not
 * match.
 */
const SAID = [
  'kinder',
  'care for',
  'http client',
  'alpha alpha',
  'called haus',
  'runs click',
  'alpha alpha alpha',
  'called calls',
];
export const textsOf: AnchorTexts = (key) =>
  key & 1n ? TEXTS.filter((_, at) => ((key >> BigInt(at + 1)) & 1n) === 1n) : [];

/**
 * Returns random-looking signals of a host; one host has none. The numbers are exact as 32-bit floats, because the
 * index stores them so.
 */
export const signalsOf: HostSignalsOf = (host) =>
  host === 'beta.example'
    ? null
    : { rank: host.length / 4, trust: host.length / 8, farm: host.length / 64, concentration: 0.5 };

export const rankOf = (fingerprint: bigint) => Number(fingerprint & 7n);

/** Builds an index in several rounds: adds segments, replaces and deletes documents, and merges when a merge is due. */
export async function buildInRounds(
  index: Directory,
  random: Random,
  documents: Map<string, IndexDocument>,
): Promise<void> {
  const writer = new IndexWriter(index, silentLog);
  for (let round = 0; round < ROUNDS; round++) {
    const batch = Array.from({ length: random.between(1, 9) }, () => randomDocument(random));
    await addSegment(index, writer, batch, rankOf, textsOf, signalsOf);
    for (const document of batch) documents.set(document.stored.url, document);
    const gone = [...documents.values()].filter(() => random.chance(0.08));
    writer.deleteDocuments(gone.map((document) => document.fingerprint));
    for (const document of gone) documents.delete(document.stored.url);
    writer.commit();
    if (await mergeIfDue(index, writer)) writer.commit();
  }
  writer.close();
}

export async function buildAtOnce(
  index: Directory,
  documents: ReadonlyMap<string, IndexDocument>,
): Promise<void> {
  const writer = new IndexWriter(index, silentLog);
  await addSegment(index, writer, [...documents.values()], rankOf, textsOf, signalsOf);
  writer.commit();
  writer.close();
}

export function randomDocument(random: Random): IndexDocument {
  const text = randomText(random, 40);
  const start = random.below(20);
  const field = random.pick([Field.heading, Field.emphasis, Field.link, Field.menu]);
  const fieldRanges = [
    { start, end: start + random.below(20), field },
    { start: start + 3, end: start + 9, field: Field.link },
  ];
  const path = random.pick(['', 'a', 'a/b']);
  const url = `https://${random.pick(HOSTS)}/${path}?${random.below(25)}`;
  const urlName = { start: url.indexOf('?') + 1, end: url.length };
  const isEntry = random.chance(0.3);
  const title = randomText(random, 4);
  const titleSubject = { start: title.indexOf(' ') + 1, end: title.length - random.below(12) };
  const document = makeDocument(url, text, {
    title,
    titleSubject,
    fieldRanges,
    urlText: url,
    urlName,
    isEntry,
  });
  const stored = { ...document.stored, language: random.pick(LANGUAGES) };
  const day = random.pick([0, random.below(LAST_DAY)]);
  return { ...document, stored, type: random.pick(TYPES), day, quality: random.below(256) };
}

/** Returns the lookups of an index with these documents, for parsing queries. */
export function lookupsAmong(documents: readonly IndexDocument[]): QueryLookups {
  const tokens = documents.flatMap(tokensOf);
  const vocabulary = new Set(tokens.map(({ word }) => word));
  const terms = new Set(tokens.map(({ term }) => term));
  const [stemming = DEFAULT_STEMMING] = stemmingsOf(
    documents.map(({ stored }) => stemmingOf(stored.language)),
  );
  return {
    hasLinks: true,
    wordsBeginning: (prefix) => [...vocabulary].filter((word) => word.startsWith(prefix)).sort(),
    linksTo: LINKS.linksTo,
    documentOf: LINKS.documentOf,
    hasWord: (word) => terms.has(termOf(word, stemming)),
    synonymsOf: (word) => SYNONYMS.of(word),
    contentWords: () => [],
  };
}

function randomText(random: Random, limit: number): string {
  const gaps = [' ', ' ', ' ', '. ', '\n', '\n\n'];
  return Array.from({ length: random.below(limit) }, () => random.pick(WORDS) + random.pick(gaps)).join('');
}

export function randomQuery(random: Random): string {
  const clauses = Array.from({ length: random.between(1, 4) }, () => randomClause(random, 0));
  return clauses.some((clause) => !clause.startsWith('-')) ? clauses.join(' ') : `the ${clauses.join(' ')}`;
}

function randomClause(random: Random, depth: number): string {
  const sign = random.pick(['', '', '', '', '-', '+']);
  const kind = random.next();
  if (kind < 0.15) return sign + randomPhrase(random);
  if (kind < 0.4) return sign + randomField(random);
  if (kind < 0.5)
    return `${randomWord(random)} NEAR/${random.between(1, 6)} ${random.pick([randomWord, randomPhrase])(random)}`;
  if (kind < 0.6 && depth < 3) {
    const operator = random.pick([' AND ', ' OR ', ' ', ' AND NOT ']);
    const parts = Array.from({ length: random.between(2, 3) }, () => randomClause(random, depth + 1));
    return `${sign}(${parts.join(operator)})`;
  }
  if (kind < 0.7) return `${sign}${randomBeginning(random)}*`;
  return sign + randomWord(random);
}

function randomBeginning(random: Random): string {
  return random.pick(['cl', 'be', 'al', 'xy', 'run', 'kind', 'ca', 'resum']);
}

function randomWord(random: Random): string {
  return random.pick([...WORDS, 'absent', 'called']);
}

function randomPhrase(random: Random): string {
  const quoted = Array.from({ length: random.between(1, 3) }, () => random.pick([...WORDS, 'called']));
  return `"${random.chance(0.1) ? 'http client' : quoted.join(' ')}"`;
}

function randomField(random: Random): string {
  const words = random.pick([randomWord, randomPhrase]);
  const year = () => 1970 + random.below(60);
  return random.pick([
    () => `site:${random.pick([...HOSTS, 'example', 'pha.example'])}`,
    () => `site:${random.pick(HOSTS)}/${random.pick(WORDS)}`,
    () => `intitle:${words(random)}`,
    () => `inurl:${words(random)}`,
    () => `inbody:${words(random)}`,
    () => `${random.pick(['intitle', 'inurl', 'inbody', 'inanchor'])}:${randomBeginning(random)}*`,
    () => `inanchor:${words(random)}`,
    () => `inanchor:"${random.pick(SAID)}"`,
    () => `lang:${random.pick(['en', 'en-gb', 'de', 'fr', 'nl'])}`,
    () => `filetype:${random.pick(['html', 'pdf', 'txt', 'md'])}`,
    () => `kind:${random.pick(['news', 'product', 'feed'])}`,
    () => `before:${year()}`,
    () => `after:${year()}-06`,
    () => `link:${random.pick(HOSTS)}/${'a'.repeat(random.below(9))}`,
  ])();
}
