/**
 * A search engine that nobody could get wrong: it holds all documents in memory and tries every one of
 * them against the query, word by word. The real one must agree with it to the last bit.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Directory, openDirectory } from '../base/mod.ts';
import {
  type AnchorTexts,
  Field,
  formatOf,
  type IndexDocument,
  type IndexWriter,
  kindOf,
  SegmentBuffer,
} from '../index/mod.ts';
import {
  DEFAULT_PROFILE,
  explainScore,
  inverseDocumentFrequency,
  type Profile,
  type WordEvidence,
} from '../rank/mod.ts';
import { isExactly, type Stemming, stemmingOf, termOf, tokenize } from '../text/mod.ts';
import { canonicalize, fingerprint, hostOf } from '../url/mod.ts';
import { ANY_FIELD, asksForFeeds, type Condition, inAnyForm, type PhraseTerm } from './condition.ts';
import type { ParsedQuery } from './parse.ts';
import { termQueryOf } from './term-query.ts';
import { usesOf } from './word-use.ts';

/** Without feedback, which looks at the documents that were found first; with all that the naive engine knows. */
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
}

const WEIGHTS: Record<Field, number> = {
  [Field.body]: 4,
  [Field.title]: 16,
  [Field.heading]: 8,
  [Field.emphasis]: 6,
  [Field.link]: 3,
  [Field.url]: 8,
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
    title,
    text,
    stretches: [],
    urlText: '',
    ...rest,
  };
}

/** Writes the documents as one segment in place of all older versions of them; `commit` is the caller's. */
export async function addSegment(
  directory: Directory,
  writer: IndexWriter,
  documents: readonly IndexDocument[],
  rankOf: (fingerprint: bigint) => number = () => 0,
  textsOf: AnchorTexts = () => [],
): Promise<void> {
  writer.deleteDocuments(documents.map((document) => document.fingerprint));
  const buffer = new SegmentBuffer();
  for (const document of documents) buffer.add(document);
  const name = writer.reserveName();
  await buffer.write(directory, name, (url) => url);
  writer.adopt(name, rankOf, textsOf);
}

/** All matches, best first. */
export function searchNaively(
  documents: readonly IndexDocument[],
  rankOf: (fingerprint: bigint) => number,
  parsed: ParsedQuery,
  textsOf: AnchorTexts = () => [],
): NaiveResult[] {
  const corpus = documents.map((document) => {
    return { document, tokens: tokensOf(document), anchors: anchorsOf(document, textsOf) };
  });
  const docsWith = (term: string) => corpus.filter(({ tokens }) => has(tokens, inAnyForm([term]))).length;
  const docsCalled = (term: string) => corpus.filter(({ anchors }) => votesFor(anchors, term) > 0).length;
  const query = termQueryOf(parsed, stemmingsOf(documents), (term) =>
    Math.max(docsWith(term), docsCalled(term)),
  );
  const frequencies = query.words.map((word, i) => {
    const others = query.alternatives[i]!.toSorted((a, b) => (a.term < b.term ? -1 : 1));
    const sum = others.reduce((sum, { term, weight }) => sum + weight * docsWith(term), docsWith(word));
    return Math.min(corpus.length, Math.max(sum, docsCalled(word)));
  });
  const rarities = frequencies.map((frequency) => inverseDocumentFrequency(corpus.length, frequency));
  const uses = usesOf(query.text, query);
  const isFunction = uses.map((use) => use.isFunction);
  const idfs = rarities.map(
    (rarity, i) => rarity * uses[i]!.count * (isFunction[i] ? NAIVE_PROFILE.functionWords : 1),
  );
  const weight = idfs.reduce((sum, idf, i) => (frequencies[i]! > 0 ? sum + idf : sum), 0);
  const meanLength = corpus.reduce((sum, { tokens }) => sum + tokens.length, 0) / corpus.length;
  const today = Math.max(...documents.map(({ day = 0 }) => day));
  const statistics = { docCount: corpus.length, meanLength, rarities, idfs, weight, isFunction };
  return corpus
    .filter(({ document }) => asksForFeeds(query.condition) || kindOf(document.type ?? '') !== 'feed')
    .filter((one) => query.condition !== null && holds(query.condition, one))
    .map(({ document, tokens, anchors }) => {
      const names = document.host
        .replace(/\.[^.]*$/, '')
        .split('.')
        .map((name) => termOf(name, query.stemming));
      const joined = names.includes(query.words.join(''));
      const named = joined ? [...query.words] : query.words.filter((word) => names.includes(word));
      const evidence = {
        length: tokens.length,
        titleLength: tokens.filter(({ field }) => field === Field.title).length,
        urlDepth: document.urlDepth,
        hostFill: (joined ? 1 : named.length) / names.length,
        rank: Math.fround(rankOf(document.fingerprint)),
        hostRank: null,
        trust: null,
        farm: null,
        concentration: null,
        ageDays: document.day ? today - document.day : null,
        isReadable: stemmingOf(document.stored.language) === query.stemming,
        quality: document.quality ? document.quality / 255 : null,
        lent: null,
        whole: null,
        words: query.words.map((word, i) => {
          const lists = [{ term: word, weight: 1 }, ...query.alternatives[i]!];
          const own = evidenceOf(word, lists, tokens, anchors, named.includes(word));
          const count = own?.positions.length ?? 0;
          const exact = count > 0 ? typedCount(word, query.typed[i]!, tokens) / count : null;
          return own && { ...own, exact };
        }),
      };
      const score = explainScore(NAIVE_PROFILE, statistics, evidence).total;
      return { url: document.stored.url, score, fingerprint: document.fingerprint };
    })
    .sort((a, b) => b.score - a.score || (a.fingerprint < b.fingerprint ? -1 : 1))
    .map(({ url, score }) => ({ url, score }));
}

function evidenceOf(
  term: string,
  lists: readonly { term: string; weight: number }[],
  tokens: readonly Token[],
  anchors: readonly NaiveAnchor[],
  inHost: boolean,
): WordEvidence | null {
  const own = tokens.filter((token) => lists.some((list) => list.term === token.term));
  const said = votesFor(anchors, term);
  if (own.length === 0 && said === 0) return null;
  const weighed = (worth: (token: Token) => number) =>
    lists.reduce((sum, list) => {
      const same = own.filter((token) => token.term === list.term);
      return sum + list.weight * same.reduce((total, token) => total + worth(token), 0);
    }, 0);
  const frequency = said + weighed((token) => WEIGHTS[token.field]);
  const here = lists.filter((list) => own.some((token) => token.term === list.term));
  const share = said > 0 ? 1 : Math.max(...here.map((list) => list.weight));
  const all = anchors.reduce((sum, { weight }) => sum + weight, 0);
  const inAnchors = all > 0 ? Math.min(1, said / all) : null;
  const counts = Object.values(Field).map((field) => weighed((token) => Number(token.field === field)));
  const positions = own.map(({ position }) => position);
  return { term, frequency, positions, counts, share, inHost, votes: said / 16, inAnchors, exact: null };
}

/** What the texts with the term weigh, as often as they have it. */
function votesFor(anchors: readonly NaiveAnchor[], term: string): number {
  return anchors.reduce(
    (sum, { terms, weight }) => sum + weight * terms.filter((one) => one === term).length,
    0,
  );
}

function typedCount(term: string, typed: readonly string[], tokens: readonly Token[]): number {
  const own = tokens.filter((token) => token.term === term);
  return own.filter(({ word }) => typed.some((one) => isExactly(one, word))).length;
}

interface NaiveDocument {
  document: IndexDocument;
  tokens: readonly Token[];
  anchors: readonly NaiveAnchor[];
}

/** What links say of a document. */
interface NaiveAnchor {
  terms: readonly string[];
  weight: number;
}

function anchorsOf(document: IndexDocument, textsOf: AnchorTexts): NaiveAnchor[] {
  const stemming = stemmingOf(document.stored.language);
  return textsOf(document.fingerprint).map(({ text, weight }) => ({
    terms: termsIn(text, stemming),
    weight: Math.max(3, Math.min(255, Math.round(16 * weight))),
  }));
}

function holds(condition: Condition, one: NaiveDocument): boolean {
  const { document, tokens, anchors } = one;
  const day = document.day ?? 0;
  switch (condition.kind) {
    case 'phrase': {
      const [first, ...more] = condition.terms;
      const isPlain = more.length === 0 && first!.exact === null && condition.fields === ANY_FIELD;
      if (isPlain && votesFor(anchors, first!.term) > 0) return true;
      return has(
        tokens.filter(({ field }) => (condition.fields & (1 << field)) !== 0),
        condition.terms,
      );
    }
    case 'near':
      return isNear(tokens, condition.phrases, condition.distances, null);
    case 'and':
      return condition.parts.every((part) => holds(part, one));
    case 'or':
      return condition.parts.some((part) => holds(part, one));
    case 'not':
      return !holds(condition.part, one);
    case 'site':
      return `.${document.host}`.endsWith(`.${condition.host}`);
    case 'hosts':
      return condition.isWanted(document.host);
    case 'language':
      return `${document.stored.language}-`.startsWith(`${condition.tag}-`);
    case 'type':
      return formatOf(document.type ?? '') === condition.name;
    case 'kind':
      return kindOf(document.type ?? '') === condition.name;
    case 'before':
      return day > 0 && day < condition.day;
    case 'since':
      return day > 0 && day >= condition.day;
    case 'anchor':
      return anchors.some(({ terms }) => ` ${terms.join(' ')} `.includes(` ${condition.terms.join(' ')} `));
    case 'documents':
      return condition.fingerprints.has(document.fingerprint);
  }
}

/** Tries every occurrence of the first phrase, then of the next near it, and so on. */
function isNear(
  tokens: readonly Token[],
  [phrase, ...rest]: readonly (readonly PhraseTerm[])[],
  distances: readonly number[],
  before: { first: number; last: number } | null,
): boolean {
  if (!phrase) return true;
  return tokens.some(({ position: first }) => {
    if (!standsAt(tokens, phrase, first)) return false;
    const last = first + phrase.length - 1;
    if (!before) return isNear(tokens, rest, distances, { first, last });
    const gap = first > before.last ? first - before.last : before.first - last;
    return gap > 0 && gap <= distances[0]! && isNear(tokens, rest, distances.slice(1), { first, last });
  });
}

function has(tokens: readonly Token[], phrase: readonly PhraseTerm[]): boolean {
  return tokens.some(({ position }) => standsAt(tokens, phrase, position));
}

function standsAt(tokens: readonly Token[], phrase: readonly PhraseTerm[], first: number): boolean {
  return phrase.every((wanted, i) =>
    tokens.some((token) => token.position === first + i && isWanted(token, wanted)),
  );
}

function isWanted(token: Token, { term, exact }: PhraseTerm): boolean {
  return token.term === term && (exact === null || isExactly(exact, token.word));
}

function termsIn(text: string, stemming: Stemming): string[] {
  const terms: string[] = [];
  tokenize(text, (word) => terms.push(termOf(word, stemming)));
  return terms;
}

/** That of most documents first. */
function stemmingsOf(documents: readonly IndexDocument[]): Stemming[] {
  const all = documents.map(({ stored }) => stemmingOf(stored.language));
  const count = (stemming: Stemming) => all.filter((other) => other === stemming).length;
  return [...new Set(all)].sort((a, b) => count(b) - count(a) || a - b);
}

function tokensOf(document: IndexDocument): Token[] {
  const tokens: Token[] = [];
  const stemming = stemmingOf(document.stored.language);
  let position = 0;
  const read = (text: string, fieldAt: (offset: number) => Field) => {
    for (const [i, block] of text.split('\n').entries()) {
      const offset = text.split('\n').slice(0, i).join('\n').length + (i > 0 ? 1 : 0);
      let isFirst = true;
      tokenize(block, (word, start) => {
        if (isFirst && i > 0) position += 2;
        isFirst = false;
        const term = termOf(word, stemming);
        tokens.push({ term, word, position: position++, field: fieldAt(offset + start) });
      });
    }
    position += 16;
  };
  read(document.title, () => Field.title);
  read(document.text, (offset) => {
    const own = document.stretches.filter(({ start, end }) => start <= offset && offset < end);
    return own.map(({ field }) => field).sort((a, b) => WEIGHTS[b] - WEIGHTS[a])[0] ?? Field.body;
  });
  read(document.urlText, () => Field.url);
  return tokens;
}
