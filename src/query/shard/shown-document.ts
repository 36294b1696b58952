/** Reads the data of a document that a result shows: stored fields, the snippet and its highlights. */
import { DAY_MS } from '../../base/mod.ts';
import { formatOf } from '../../index/mod.ts';
import { type Evidence, isByMeaning, textPositions } from '../../scoring/mod.ts';
import { reading } from '../errors.ts';
import { bestStretch, type QuotedPhrase, type SecondStage, type SegmentDoc } from '../reranking/mod.ts';
import {
  answerPassagesOf,
  leadingSnippets,
  matchingImages,
  QueryHighlighter,
  snippetOf,
  type WordForms,
} from '../snippets/mod.ts';
import type { TermQuery } from '../terms/mod.ts';
import type { ShownDocument } from './search-shard.ts';

/** Details that are read only if the request asks for them. */
interface WantedDetails {
  passages: boolean;
  images: boolean;
}

/**
 * Returns a function that reads the details of a document. `evidence` is the second-stage evidence about the
 * document; `forms` are the written forms of the query's words.
 */
export function detailsReader(
  { query, statistics }: Pick<SecondStage, 'query' | 'statistics'>,
  forms: WordForms,
): (place: SegmentDoc, evidence: Evidence | null, wants: WantedDetails) => ShownDocument {
  const finder = new QueryHighlighter(forms);
  const weights = statistics.idfs;
  const phrases = quotedPhrases(query, weights);
  const isMarked = markedWords(statistics, phrases);
  return ({ segment, doc }, evidence, wants) => {
    const document = reading(segment, () => segment.reader.document(doc));
    const { table } = segment.reader;
    const best = evidence && bestShown(evidence, weights, phrases);
    const sought = { finder, weights, phrases, isMarked, best };
    const snippet = snippetOf(document, sought);
    const images = wants.images ? matchingImages(document, sought) : [];
    return {
      url: document.url,
      title: document.title,
      snippet: snippet.text,
      passages: evidence && isByMeaning(statistics, evidence) ? leadingSnippets(document, MAX_PASSAGES) : [],
      highlights: snippet.highlights,
      isPassage: snippet.isPassage && formatOf(table.types[table.typeOf[doc]!]!) === 'html',
      fetchedAt: document.fetchedAt,
      date: writtenDay(table.days[doc]!),
      language: document.language,
      isEntry: table.entries[doc] === 1,
      noCopy: document.noCopy ?? false,
      ...(wants.passages && { answers: answerPassagesOf(document, sought) }),
      ...(images.length > 0 && { images }),
    };
  };
}

/** The number of snippets of a page found by meaning, among which the gateway chooses. */
const MAX_PASSAGES = 3;

/** A word of the query is highlighted if its weight is at least this share of the weight of the heaviest word. */
const MARKED_SHARE = 0.1;

/**
 * Returns, for each word of the query, true if it is highlighted. Words that nearly all pages have, such as "the",
 * are highlighted only in quoted phrases.
 */
function markedWords(
  { idfs, isFunction }: Pick<SecondStage['statistics'], 'idfs' | 'isFunction'>,
  phrases: readonly QuotedPhrase[],
): boolean[] {
  const least = MARKED_SHARE * Math.max(...idfs);
  const quoted = new Set(phrases.flatMap(({ words }) => words));
  return idfs.map((idf, word) => quoted.has(word) || (!isFunction[word] && idf >= least));
}

/** Returns the quoted phrases of several words. The weight of a phrase is the sum of the weights of its words. */
function quotedPhrases({ phrases, words }: TermQuery, weights: readonly number[]): QuotedPhrase[] {
  return phrases
    .filter((phrase) => phrase.length > 1)
    .map((phrase) => {
      const numbers = phrase.map(({ term }) => words.indexOf(term));
      const weight = numbers.reduce((sum, word) => sum + (weights[word] ?? 0), 0);
      return { words: numbers, exact: phrase.map(({ exact }) => exact), weight };
    });
}

/**
 * Returns the weight of the best stretch of a document (see best-stretch.ts), at which the search for a snippet can
 * stop.
 */
function bestShown(
  { words, titleLength }: Evidence,
  weights: readonly number[],
  phrases: readonly QuotedPhrase[],
): number | null {
  const places = words.map((word) => word && textPositions(word, 0));
  return bestStretch(places, weights, titleLength, phrases);
}

/** Formats a day (days since 1970) as `2026-07-15`; null if `day` is 0, which means that the page states no date. */
function writtenDay(day: number): string | null {
  return day > 0 ? new Date(day * DAY_MS).toISOString().slice(0, 10) : null;
}
