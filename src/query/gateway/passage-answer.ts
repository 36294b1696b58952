/**
 * Chooses a passage of the first results that answers the query, to show it above the results. A wrong answer does
 * more harm than no answer, so most queries get none.
 *
 *   question      several content words, typed as plain words
 *   candidates    passages of the first results, each with the share of the query's words that it has
 *   meaning       the similarity of query and passage, by the model; without a model, more words must match
 *
 * Passages of the first result need less evidence than passages of other results.
 */
import type { PassageAnswer, SearchResult } from '../searcher.ts';
import type { ShownDocument } from '../shard/mod.ts';
import { type TermQuery, usesOf } from '../terms/mod.ts';
import type { EmbedText } from './passage-by-meaning.ts';

/** The number of results in which a passage that answers the query is searched. */
export const PASSAGE_RESULTS = 2;
/** The maximum number of passages whose vector is computed; each takes about 20 ms. */
const COMPARED = 4;
/**
 * The minimum number of content words of a query that gets an answer: `question` if the query is written as a
 * question, `other` if not.
 */
const MIN_WORDS = { question: 2, other: 3 };

/** Words with which a question begins, such as "how", in the languages of the user interface and some others. */
const ASKING = new Set(
  `how what why when where who whom which whose can could does do did is are should
  wie was warum wieso weshalb wann wo wer wen welche welcher welches kann
  comment pourquoi quand où qui que quel quelle quels quelles combien
  cómo qué por cuándo dónde quién cuál come perché quando dove chi quale
  как что почему когда где кто كيف ما ماذا لماذا متى أين هل`.split(/\s+/),
);

export function isQuestion(query: TermQuery): boolean {
  const { text, isPlain, phrases } = query;
  const telling = usesOf(text, query).filter(({ isFunction, isGeneric }) => !isFunction && !isGeneric);
  return (
    isPlain &&
    phrases.length === 0 &&
    telling.length >= (isAsking(text) ? MIN_WORDS.question : MIN_WORDS.other)
  );
}

/** Returns true if the query is written as a question. */
function isAsking(text: string): boolean {
  const [first = ''] = text.toLowerCase().split(/[\s']/, 1);
  return ASKING.has(first) || /[?؟]\s*$/.test(text);
}

interface Candidate {
  place: number;
  passage: NonNullable<ShownDocument['answers']>[number];
  /** The similarity of passage and query, from -1 to 1; null without a model. */
  similarity: number | null;
}

/** Returns the passage that answers the query, or null. `details[i]` has the passages of `results[i]`. */
export function choosePassage(
  query: TermQuery,
  results: readonly SearchResult[],
  details: readonly ShownDocument[],
  embed: EmbedText,
): PassageAnswer | null {
  const candidates = details
    .flatMap(({ answers = [] }, place) => answers.map((passage) => ({ place, passage, similarity: null })))
    .sort((a, b) => wordEvidence(b) - wordEvidence(a))
    .slice(0, COMPARED);
  if (candidates.length === 0) return null;
  const compared = withSimilarity(query, candidates, embed);
  const best = compared.sort((a, b) => evidenceOf(b) - evidenceOf(a))[0]!;
  if (!isStrong(best, isAsking(query.text))) return null;
  return answerOf(best, results[best.place]!);
}

function wordEvidence({ place, passage }: Candidate): number {
  return passage.share + passage.topicShare - 0.1 * place;
}

function evidenceOf(candidate: Candidate): number {
  return wordEvidence(candidate) + 2 * (candidate.similarity ?? 0);
}

function withSimilarity(query: TermQuery, candidates: readonly Candidate[], embed: EmbedText): Candidate[] {
  const texts = candidates.map(({ passage: { heading, text } }) =>
    heading === '' ? text : `${heading}. ${text}`,
  );
  const asked = embed(query.text);
  return candidates.map((candidate, at) => {
    const vector = asked && embed(texts[at]!);
    return vector ? { ...candidate, similarity: cosineOf(asked, vector) } : candidate;
  });
}

function cosineOf(a: Int8Array, b: Int8Array): number {
  let product = 0;
  let squareA = 0;
  let squareB = 0;
  for (let at = 0; at < a.length; at++) {
    product += a[at]! * b[at]!;
    squareA += a[at]! ** 2;
    squareB += b[at]! ** 2;
  }
  return product / Math.sqrt(squareA * squareB || 1);
}

/**
 * Returns true if the evidence that a passage answers the query is strong enough. The limits were chosen by reading
 * the passages for how-to and concept queries on two crawls of real documentation;
 * docs/decisions/0035-answers-from-the-archive.md has the figures.
 */
function isStrong({ place, passage, similarity }: Candidate, isAsked: boolean): boolean {
  const { share, topicShare, headingShare } = passage;
  if (similarity === null)
    return isAsked && place === 0 && share >= 0.5 && headingShare >= 0.5 && topicShare >= 0.95;
  const least = place > 0 ? 0.75 : isAsked ? 0.62 : 0.7;
  return similarity >= least && headingShare >= 0.4 && topicShare >= (isAsked ? 0.8 : 0.95);
}

function answerOf(
  { passage }: Candidate,
  { url, title, host, fetchedAt, language }: SearchResult,
): PassageAnswer {
  const { text, highlights, heading, code } = passage;
  return {
    ...{ url, title, host, text, highlights, heading, fetchedAt },
    ...(code !== undefined && { code }),
    ...(language !== undefined && { language }),
  };
}
