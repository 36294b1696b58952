/**
 * A reference search engine that is simple enough to be obviously correct: it keeps all documents in memory and
 * compares each of them with the query, word by word. Tests check that the real engine returns bit-identical scores.
 * Both engines use the same tokenizer, stemmer, query parser and scoring formula, but each has its own code to
 * decide if a document has a word.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Directory, openDirectory } from '../../base/mod.ts';
import type { AnchorTexts } from '../../index/anchors/anchor-lists-format.ts';
import { isHiddenType } from '../../index/document-type.ts';
import {
  Field,
  type HostSignalsOf,
  type IndexDocument,
  type IndexWriter,
  collectionsOf,
  isOfFormat,
  kindOf,
  SegmentBuffer,
  urlLanguageOf,
} from '../../index/mod.ts';
import {
  DEFAULT_PROFILE,
  explainScore,
  inverseDocumentFrequency,
  type Profile,
  type WordEvidence,
} from '../../scoring/mod.ts';
import {
  fold,
  isInOtherScript,
  isOtherScript,
  isExactly,
  ownStemmingOf,
  type Stemming,
  stemmingOf,
  termOf,
  tokenize,
  tokenizeIdentifiers,
} from '../../text/mod.ts';
import { canonicalize, fingerprint, hostOf } from '../../url/mod.ts';
import { ANY_FIELD, type Condition, type PhraseTerm, shownBy } from '../language/condition.ts';
import type { Alternative } from '../language/interpret-query.ts';
import type { ParsedQuery } from '../language/parse.ts';
import { usesOf } from '../terms/word-use.ts';

/** The default ranking profile without query expansion, restricted to features that the naive engine supports. */
export const NAIVE_PROFILE: Profile = {
  ...DEFAULT_PROFILE,
  weights: { ...DEFAULT_PROFILE.weights, exact: 0.2, freshness: 0.1, language: 0.3, quality: 0.2 },
  feedback: null,
};

export interface NaiveResult {
  url: string;
  score: number;
}

interface Token {
  term: string;
  word: string;
  position: number;
  field: Field;
  /** True for an additional term of an identifier, such as `render` for `vtkRenderWindow`. */
  isExtra: boolean;
}

/** The fields whose text is a name. Identifiers get more additional terms in them than in body text. */
const NAMES: ReadonlySet<Field> = new Set([Field.title, Field.heading, Field.url, Field.name]);

const WEIGHTS: Record<Field, number> = {
  [Field.body]: 4,
  [Field.title]: 16,
  [Field.heading]: 8,
  [Field.emphasis]: 6,
  [Field.link]: 3,
  [Field.url]: 8,
  [Field.menu]: 1,
  [Field.name]: 8,
};

export function temporaryDirectory(t: TestContext): Directory {
  const path = mkdtempSync(join(tmpdir(), 'gyre-query-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return openDirectory(path);
}

export function makeDocument(url: string, text: string, rest: Partial<IndexDocument> = {}): IndexDocument {
  const canonical = canonicalize(url)!;
  const title = rest.title ?? '';
  return {
    stored: { url: canonical, title, description: '', text, language: '', fetchedAt: 1_700_000_000_000 },
    fingerprint: fingerprint(canonical),
    host: hostOf(canonical),
    urlDepth: new URL(url).pathname.split('/').filter(Boolean).length,
    isEntry: url.endsWith('/'),
    title,
    text,
    fieldRanges: [],
    urlText: '',
    ...rest,
  };
}

/** Writes the documents as one segment and replaces older versions of them. The caller commits. */
export async function addSegment(
  directory: Directory,
  writer: IndexWriter,
  documents: readonly IndexDocument[],
  rankOf: (fingerprint: bigint) => number = () => 0,
  textsOf: AnchorTexts = () => [],
  signalsOf: HostSignalsOf = () => null,
): Promise<void> {
  writer.deleteDocuments(documents.map((document) => document.fingerprint));
  const buffer = new SegmentBuffer();
  for (const document of documents) buffer.add(document);
  const name = writer.reserveName();
  await buffer.write(directory, name, (url) => url);
  writer.adopt(name, rankOf, textsOf, signalsOf);
}

/** Returns all matches of a query, best first. */
export function searchNaively(
  documents: readonly IndexDocument[],
  rankOf: (fingerprint: bigint) => number,
  query: ParsedQuery,
  textsOf: AnchorTexts = () => [],
  signalsOf: HostSignalsOf = () => null,
  preferredLanguage = '',
): NaiveResult[] {
  const corpus = documents.map((document) => {
    const stemming = stemmingOf(document.stored.language);
    return { document, stemming, tokens: tokensOf(document), anchors: anchorsOf(document, textsOf) };
  });
  const termsOf = termsOfWords(corpus);
  const stemming = languageOf(query, corpus, preferredLanguage);
  const words = groupedWords(query, stemming);
  const frequencies = words.map((word) => frequencyOf(word, corpus, termsOf));
  const rarities = frequencies.map((frequency) => inverseDocumentFrequency(corpus.length, frequency));
  const inTerms = (phrase: readonly PhraseTerm[]) =>
    phrase.map((wanted) => ({ ...wanted, term: termOf(wanted.term, stemming) }));
  const uses = usesOf(query.text, {
    words: words.map(({ term }) => term),
    typed: words.map(({ typed }) => typed),
    phrases: query.phrases.map(inTerms),
  });
  const isFunction = uses.map((use) => use.isFunction);
  const idfs = rarities.map(
    (rarity, i) => rarity * uses[i]!.count * (isFunction[i] ? NAIVE_PROFILE.functionWords : 1),
  );
  const weight = idfs.reduce((sum, idf, i) => (frequencies[i]! > 0 ? sum + idf : sum), 0);
  const meanLength = corpus.reduce((sum, { tokens }) => sum + lengthOf(tokens), 0) / corpus.length;
  const today = Math.max(...documents.map(({ day = 0 }) => day));
  const isGeneric = uses.map((use) => use.isGeneric);
  const statistics = { docCount: corpus.length, meanLength, rarities, idfs, weight, isFunction, isGeneric };
  const isOther = words.some(({ typed }) => typed.some(isInOtherScript));
  const isInScript = (language: string) => language === '' || isOtherScript(language) === isOther;
  return corpus
    .filter(({ document }) => shownBy(query.condition).feeds || kindOf(document.type ?? '') !== 'feed')
    .filter((one) => query.condition !== null && holds(query.condition, one, termsOf))
    .map((one) => {
      const { document, tokens } = one;
      const names = document.host
        .replace(/\.[^.]*$/, '')
        .split('.')
        .map((name) => termOf(name, stemming));
      const joined = names.includes(words.map(({ term }) => term).join(''));
      const isNamed = (word: NaiveWord) =>
        [...worthOf(word, stemming, termsOf)].some(([term, { isSaid }]) => isSaid && names.includes(term));
      const inHost = words.map((word) => joined || isNamed(word));
      const signals = signalsOf(document.host);
      const evidence = {
        length: lengthOf(tokens),
        titleLength: lengthOf(tokens.filter(({ field }) => field === Field.title)),
        ...subjectOf(document),
        contentStart: contentStartOf(tokens),
        nameLength: lengthOf(tokens.filter(({ field }) => field === Field.name)),
        isEntry: document.isEntry ?? false,
        urlLanguage: urlLanguageOf(document.urlFit ?? 0),
        isAuxiliary: ['listing', 'source'].includes(kindOf(document.type ?? '')),
        urlDepth: document.urlDepth,
        hostFill: (joined ? 1 : inHost.filter(Boolean).length) / names.length,
        rank: Math.fround(rankOf(document.fingerprint)),
        hostRank: signals?.rank ?? 0,
        trust: signals?.trust ?? 0,
        farm: signals?.farm ?? 0,
        concentration: signals?.concentration ?? 0,
        ageDays: document.day ? today - document.day : null,
        isReadable: one.stemming === stemming && isInScript(document.stored.language),
        quality: document.quality ? document.quality / 255 : null,
        similarity: null,
        expansion: null,
        whole: null,
        words: words.map((word, i) => evidenceOf(word, one, termsOf, inHost[i]!)),
      };
      const score =
        words.length === 0
          ? Math.log2(1 + evidence.rank)
          : explainScore(NAIVE_PROFILE, statistics, evidence).total;
      return { url: document.stored.url, score, fingerprint: document.fingerprint };
    })
    .sort((a, b) => b.score - a.score || (a.fingerprint < b.fingerprint ? -1 : 1))
    .map(({ url, score }) => ({ url, score }));
}

/** Returns the terms that a word has in documents of a language. */
type TermsOf = (word: string, stemming: Stemming) => ReadonlySet<string>;

/**
 * Returns a function that finds the terms of a word. It includes the terms of all spellings with other accents that
 * any document has.
 */
function termsOfWords(corpus: readonly NaiveDocument[]): TermsOf {
  const written = new Set(corpus.flatMap(({ tokens }) => tokens.map(({ word }) => word)));
  const known = new Map<string, ReadonlySet<string>>();
  return (word, stemming) => {
    const key = `${word} ${stemming}`;
    if (!known.has(key)) {
      const alike = [...written].filter((other) => withoutAccents(other) === withoutAccents(word));
      const spellings = [word, withoutAccents(word), ...alike];
      known.set(key, new Set(spellings.map((spelling) => termOf(spelling, stemming))));
    }
    return known.get(key)!;
  };
}

/** Removes the accents of a word. A word of ASCII characters is returned unchanged. */
function withoutAccents(word: string): string {
  return /^[\x20-\x7e]*$/.test(word) ? word : fold(word);
}

/** A group of query words that have the same term in the language of the query. */
interface NaiveWord {
  term: string;
  typed: string[];
  alternatives: readonly Alternative[];
}

function groupedWords({ words, alternatives }: ParsedQuery, stemming: Stemming): NaiveWord[] {
  const terms = words.map((word) => termOf(word, stemming));
  return [...new Set(terms)].map((term) => ({
    term,
    typed: words.filter((_, i) => terms[i] === term),
    alternatives: alternatives.filter((_, i) => terms[i] === term).flat(),
  }));
}

/**
 * Returns, for each term of a word in documents of a language, its weight, and whether anchor texts with the
 * term count. If a term occurs more than once in the list, its first entry is used.
 */
function worthOf(
  { typed, alternatives }: NaiveWord,
  stemming: Stemming,
  termsOf: TermsOf,
): Map<string, { weight: number; isSaid: boolean }> {
  const worth = new Map<string, { weight: number; isSaid: boolean }>();
  const add = (word: string, weight: number, isSaid: boolean) => {
    for (const term of termsOf(word, stemming)) if (!worth.has(term)) worth.set(term, { weight, isSaid });
  };
  for (const word of typed) add(word, 1, true);
  for (const { term, weight, isCompletion } of alternatives) add(term, weight, !isCompletion);
  return worth;
}

/**
 * Returns the number of documents that have the word in their text, or the number of documents that have it in
 * anchor texts, whichever is greater. Each document counts with the weight of its term.
 */
function frequencyOf(word: NaiveWord, corpus: readonly NaiveDocument[], termsOf: TermsOf): number {
  const claims = corpus.flatMap(({ stemming, tokens, anchors }) =>
    [...worthOf(word, stemming, termsOf)].map(([term, { weight, isSaid }]) => ({
      term,
      weight,
      isWritten: tokens.some((token) => token.term === term),
      isSaid: isSaid && votesFor(anchors, term) > 0,
    })),
  );
  const total = (own: typeof claims) => {
    const parts = own.filter(({ weight }) => weight < 1).map(({ term, weight }) => `${term} ${weight}`);
    return [...new Set(parts)]
      .sort()
      .reduce(
        (sum, part) => sum + Number(part.split(' ')[1]) * parts.filter((other) => other === part).length,
        own.filter(({ weight }) => weight === 1).length,
      );
  };
  const having = total(claims.filter(({ isWritten }) => isWritten));
  const called = total(claims.filter(({ isSaid }) => isSaid));
  return Math.min(corpus.length, Math.max(having, called));
}

function evidenceOf(
  word: NaiveWord,
  { stemming, tokens, anchors }: NaiveDocument,
  termsOf: TermsOf,
  inHost: boolean,
): WordEvidence | null {
  const worth = worthOf(word, stemming, termsOf);
  const own = tokens.filter((token) => worth.has(token.term));
  const saying = [...worth].filter(([term, { isSaid }]) => isSaid && votesFor(anchors, term) > 0);
  if (own.length === 0 && saying.length === 0) return null;
  const said = saying.reduce((sum, [term, { weight }]) => sum + weight * votesFor(anchors, term), 0);
  const weighed = (first: number, count: (token: Token) => number) =>
    [...worth].reduce((sum, [term, { weight }]) => {
      const same = own.filter((token) => token.term === term);
      return sum + weight * same.reduce((total, token) => total + count(token), 0);
    }, first);
  const weights = [
    ...saying.map(([, { weight }]) => weight),
    ...own.map(({ term }) => worth.get(term)!.weight),
  ];
  const all = anchors.reduce((sum, { weight }) => sum + weight, 0);
  const typed = own.filter((token) => word.typed.some((one) => isExactly(one, token.word)));
  const through = own.map(({ term }) => ({ term, weight: worth.get(term)!.weight, frequency: 1 }));
  return {
    term: word.term,
    frequency: weighed(said, (token) => WEIGHTS[token.field]),
    positions: own.map(({ position }) => position),
    counts: Object.values(Field).map((field) => weighed(0, (token) => Number(token.field === field))),
    share: Math.max(...weights),
    through: through.filter(({ weight }) => weight < 1),
    inHost,
    votes: said / 16,
    inAnchors: all > 0 ? Math.min(1, said / all) : null,
    exact: own.length > 0 ? typed.length / own.length : null,
  };
}

/**
 * Returns the sum of the weights of the anchor texts that contain the term. An anchor text counts once per
 * occurrence.
 */
function votesFor(anchors: readonly NaiveAnchor[], term: string): number {
  return anchors.reduce(
    (sum, { terms, weight }) => sum + weight * terms.flat().filter((one) => one === term).length,
    0,
  );
}

/**
 * Returns the language of a query: the one that it asks for, or else the language whose documents have most of
 * its words. The preferred language is used instead if each word is at least half as common in it.
 */
function languageOf(
  { words, condition }: ParsedQuery,
  corpus: readonly NaiveDocument[],
  preferredLanguage: string,
): Stemming {
  const stemmings = stemmingsOf(corpus.map(({ stemming }) => stemming));
  const parts = condition?.kind === 'and' ? condition.parts : [condition];
  const asked = parts.find((part) => part?.kind === 'language');
  if (asked?.kind === 'language' && stemmings.includes(stemmingOf(asked.tag))) return stemmingOf(asked.tag);
  const counts = stemmings.map((stemming) => {
    const own = corpus.filter((one) => one.stemming === stemming);
    return words.map((word) => {
      const term = termOf(word, stemming);
      const having = own.filter(({ tokens }) => tokens.some((token) => token.term === term)).length;
      const called = own.filter(({ anchors }) => votesFor(anchors, term) > 0).length;
      return Math.max(having, called);
    });
  });
  const sums = counts.map((own) => own.reduce((sum, count) => sum + Math.log1p(count), 0));
  const best = sums.indexOf(Math.max(...sums));
  const preferred = stemmings.indexOf(ownStemmingOf(preferredLanguage) ?? -1);
  if (preferred < 0) return stemmings[best]!;
  const size = (at: number) => corpus.filter(({ stemming }) => stemming === stemmings[at]).length;
  const isUndecided = words.every(
    (_, word) => counts[preferred]![word]! / size(preferred) >= 0.5 * (counts[best]![word]! / size(best)),
  );
  return stemmings[isUndecided ? preferred : best]!;
}

interface NaiveDocument {
  document: IndexDocument;
  stemming: Stemming;
  tokens: readonly Token[];
  anchors: readonly NaiveAnchor[];
}

/** An anchor text of a link to a document. */
interface NaiveAnchor {
  /** The terms at each position of the anchor text. */
  terms: readonly (readonly string[])[];
  weight: number;
}

function anchorsOf(document: IndexDocument, textsOf: AnchorTexts): NaiveAnchor[] {
  const stemming = stemmingOf(document.stored.language);
  return textsOf(document.fingerprint).map(({ text, weight }) => ({
    terms: termsIn(text, stemming),
    weight: Math.max(3, Math.min(255, Math.round(16 * weight))),
  }));
}

function holds(condition: Condition, one: NaiveDocument, termsOf: TermsOf): boolean {
  const { document, stemming, tokens, anchors } = one;
  const day = document.day ?? 0;
  const isWanted: IsWanted = (token, { term, exact, others = [] }) =>
    [term, ...others].some((word) => termsOf(word, stemming).has(token.term)) &&
    (exact === null || isForm(exact, token.word));
  switch (condition.kind) {
    case 'phrase': {
      const [first, ...more] = condition.terms;
      const isPlain = more.length === 0 && first!.exact === null && condition.fields === ANY_FIELD;
      if (isPlain && [...termsOf(first!.term, stemming)].some((term) => votesFor(anchors, term) > 0))
        return true;
      return has(
        tokens.filter(({ field }) => (condition.fields & (1 << field)) !== 0),
        condition.terms,
        isWanted,
      );
    }
    case 'near':
      return isNear(tokens, condition.phrases, condition.distances, null, isWanted);
    case 'and':
      return condition.parts.every((part) => holds(part, one, termsOf));
    case 'or':
      return condition.parts.some((part) => holds(part, one, termsOf));
    case 'not':
      return !holds(condition.part, one, termsOf);
    case 'site':
      return (
        `.${document.host}`.endsWith(`.${condition.host}`) &&
        has(
          tokens.filter(({ field }) => field === Field.url || field === Field.name),
          condition.address,
          isWanted,
        )
      );
    case 'family':
      return true;
    case 'rated':
      return isHiddenType(document.type ?? '', condition.level);
    case 'unblocked':
      return !condition.blocked.some((site) => `.${document.host}`.endsWith(`.${site}`));
    case 'language':
      return `${document.stored.language}-`.startsWith(`${condition.tag}-`);
    case 'type':
      return isOfFormat(document.type ?? '', condition.name);
    case 'kind':
      return kindOf(document.type ?? '') === condition.name;
    case 'collection':
      return collectionsOf(document.type ?? '').includes(condition.name);
    case 'before':
      return day > 0 && day < condition.day;
    case 'since':
      return day > 0 && day >= condition.day;
    case 'anchor':
      return anchors.some(({ terms }) =>
        terms.some((_, first) =>
          condition.terms.every(({ term }, i) =>
            terms[first + i]?.some((one) => termsOf(term, stemming).has(one)),
          ),
        ),
      );
    case 'documents':
      return condition.fingerprints.has(document.fingerprint);
  }
}

/** Returns true if a word equals `exact`, including accents. A trailing star makes `exact` a prefix. */
function isForm(exact: string, word: string): boolean {
  if (!exact.endsWith('*')) return isExactly(exact, word);
  const beginning = exact.slice(0, -1);
  return word.startsWith(beginning) || (fold(beginning) === beginning && fold(word).startsWith(beginning));
}

/** Returns true if a token of a document matches a word of the query. */
type IsWanted = (token: Token, wanted: PhraseTerm) => boolean;

/**
 * Returns true if the phrases occur near each other. Tries every occurrence of the first phrase, then every
 * occurrence of the next phrase near it, and so on.
 */
function isNear(
  tokens: readonly Token[],
  [phrase, ...rest]: readonly (readonly PhraseTerm[])[],
  distances: readonly number[],
  before: { first: number; last: number } | null,
  isWanted: IsWanted,
): boolean {
  if (!phrase) return true;
  return tokens.some(({ position: first }) => {
    if (!standsAt(tokens, phrase, first, isWanted)) return false;
    const last = first + phrase.length - 1;
    if (!before) return isNear(tokens, rest, distances, { first, last }, isWanted);
    const gap = first > before.last ? first - before.last : before.first - last;
    if (gap <= 0 || gap > distances[0]!) return false;
    return isNear(tokens, rest, distances.slice(1), { first, last }, isWanted);
  });
}

function has(tokens: readonly Token[], phrase: readonly PhraseTerm[], isWanted: IsWanted): boolean {
  return tokens.some(({ position }) => standsAt(tokens, phrase, position, isWanted));
}

function standsAt(
  tokens: readonly Token[],
  phrase: readonly PhraseTerm[],
  first: number,
  isWanted: IsWanted,
): boolean {
  return phrase.every((wanted, i) =>
    tokens.some((token) => token.position === first + i && isWanted(token, wanted)),
  );
}

function termsIn(text: string, stemming: Stemming): string[][] {
  const terms: string[][] = [];
  tokenizeIdentifiers(
    text,
    () => true,
    (word, _start, _end, isExtra) => {
      if (!isExtra) terms.push([]);
      terms.at(-1)!.push(termOf(word, stemming));
    },
  );
  return terms;
}

function lengthOf(tokens: readonly Token[]): number {
  return tokens.filter(({ isExtra }) => !isExtra).length;
}

/** Returns the different stemmings; the one with the most documents comes first. */
export function stemmingsOf(all: readonly Stemming[]): Stemming[] {
  const count = (stemming: Stemming) => all.filter((other) => other === stemming).length;
  return [...new Set(all)].sort((a, b) => count(b) - count(a) || a - b);
}

function subjectOf({
  title,
  titleSubject: { start, end } = { start: 0, end: title.length },
}: IndexDocument): { subjectStart: number; subjectLength: number; subjectSize: number } {
  const words: { from: number; size: number }[] = [];
  tokenize(title, (_, from, to) => words.push({ from, size: to - from }));
  const subject = words.filter(({ from }) => from >= start && from < end);
  return {
    subjectStart: words.filter(({ from }) => from < start).length,
    subjectLength: subject.length,
    subjectSize: Math.min(
      255,
      subject.reduce((sum, { size }) => sum + size, 0),
    ),
  };
}

/** Returns the position of the first word that is not in a menu, or 0. */
function contentStartOf(tokens: readonly Token[]): number {
  const outside = new Set<Field>([Field.title, Field.menu, Field.url, Field.name]);
  return tokens.find(({ field }) => !outside.has(field))?.position ?? 0;
}

export function tokensOf(document: IndexDocument): Token[] {
  const tokens: Token[] = [];
  const stemming = stemmingOf(document.stored.language);
  let position = 0;
  const read = (text: string, fieldAt: (offset: number) => Field) => {
    for (const [i, block] of text.split('\n').entries()) {
      const offset = text.split('\n').slice(0, i).join('\n').length + (i > 0 ? 1 : 0);
      let isFirst = true;
      const isNameAt = (start: number) => NAMES.has(fieldAt(offset + start));
      tokenizeIdentifiers(block, isNameAt, (word, start, _, isExtra) => {
        if (isFirst && i > 0) position += 2;
        isFirst = false;
        const term = termOf(word, stemming);
        const field = fieldAt(offset + start);
        tokens.push({ term, word, position: isExtra ? position - 1 : position++, field, isExtra });
      });
    }
    position += 16;
  };
  read(document.title, () => Field.title);
  read(document.text, (offset) => {
    const own = document.fieldRanges.filter(({ start, end }) => start <= offset && offset < end);
    const fields = own.map(({ field }) => field).sort((a, b) => WEIGHTS[b] - WEIGHTS[a]);
    return fields.includes(Field.menu) ? Field.menu : (fields[0] ?? Field.body);
  });
  const { start, end } = document.urlName ?? { start: 0, end: 0 };
  read(document.urlText, (offset) => (offset >= start && offset < end ? Field.name : Field.url));
  return tokens;
}
