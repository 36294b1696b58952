/**
 * A search engine that nobody could get wrong: it holds all documents in memory and tries every one of
 * them against the query, word by word. The real one must agree with it to the last bit.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Directory, openDirectory } from '../base/mod.ts';
import { Field, type IndexDocument, type IndexWriter, SegmentBuffer } from '../index/mod.ts';
import { DEFAULT_PROFILE, explainScore, inverseDocumentFrequency, type WordEvidence } from '../rank/mod.ts';
import { isExactly, type Stemming, stemmingOf, termOf, tokenize } from '../text/mod.ts';
import { canonicalize, fingerprint, hostOf } from '../url/mod.ts';
import type { ParsedQuery } from './parse.ts';
import { type PhraseTerm, type TermQuery, termQueryOf } from './term-query.ts';

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
): Promise<void> {
  writer.deleteDocuments(documents.map((document) => document.fingerprint));
  const buffer = new SegmentBuffer();
  for (const document of documents) buffer.add(document);
  const name = writer.reserveName();
  await buffer.write(directory, name, (url) => url);
  writer.adopt(name, rankOf);
}

/** All matches, best first. */
export function searchNaively(
  documents: readonly IndexDocument[],
  rankOf: (fingerprint: bigint) => number,
  parsed: ParsedQuery,
): NaiveResult[] {
  const corpus = documents.map((document) => ({ document, tokens: tokensOf(document) }));
  const frequencyOf = (term: string) =>
    corpus.filter(({ tokens }) => has(tokens, [{ term, exact: null }])).length;
  const query = termQueryOf(parsed, stemmingsOf(documents), frequencyOf);
  const idfs = query.words.map((word) => inverseDocumentFrequency(corpus.length, frequencyOf(word)));
  const weight = idfs.reduce((sum, idf, i) => (frequencyOf(query.words[i]!) > 0 ? sum + idf : sum), 0);
  const meanLength = corpus.reduce((sum, { tokens }) => sum + tokens.length, 0) / corpus.length;
  const statistics = { docCount: corpus.length, meanLength, idfs, weight };
  return corpus
    .filter(({ document, tokens }) => matches(document.host, tokens, query))
    .map(({ document, tokens }) => {
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
        words: query.words.map((word) => evidenceOf(word, tokens, named.includes(word))),
      };
      const score = explainScore(DEFAULT_PROFILE, statistics, evidence).total;
      return { url: document.stored.url, score };
    })
    .sort((a, b) => b.score - a.score || (a.url < b.url ? -1 : 1));
}

function evidenceOf(term: string, tokens: readonly Token[], inHost: boolean): WordEvidence | null {
  const own = tokens.filter((token) => token.term === term);
  if (own.length === 0) return null;
  const frequency = own.reduce((sum, { field }) => sum + WEIGHTS[field], 0);
  const inTitle = own.filter(({ field }) => field === Field.title).length;
  return { term, frequency, positions: own.map(({ position }) => position), inTitle, inHost };
}

function matches(host: string, tokens: readonly Token[], query: TermQuery): boolean {
  const isOn = (site: string) => `.${host}`.endsWith(`.${site}`);
  const hasAny = query.words.length === 0 || query.words.some((term) => has(tokens, [{ term, exact: null }]));
  return (
    hasAny &&
    query.phrases.every((phrase) => has(tokens, phrase)) &&
    !query.excluded.some((phrase) => has(tokens, phrase)) &&
    (query.sites.length === 0 || query.sites.some(isOn)) &&
    !query.excludedSites.some(isOn)
  );
}

function has(tokens: readonly Token[], phrase: readonly PhraseTerm[]): boolean {
  return tokens.some((first) =>
    phrase.every((wanted, i) =>
      tokens.some((token) => isWanted(token, wanted) && token.position === first.position + i),
    ),
  );
}

function isWanted(token: Token, { term, exact }: PhraseTerm): boolean {
  return token.term === term && (exact === null || isExactly(exact, token.word));
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
        if (isFirst && i > 0) position += 8;
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
