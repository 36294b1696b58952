/**
 * Chooses a passage of the first results that answers the query, to show it above the results. A wrong answer does
 * more harm than no answer, so most queries get none.
 *
 *   question      several content words, typed as plain words
 *   candidates    passages of the first results that have enough of the query's words, the best first
 *   meaning       the similarity of query and passage, by the model; without a model, more words must match
 *
 * The first candidate with strong evidence is the answer. Later candidates are not compared, because computing
 * a vector takes time.
 *
 * Passages of the first result need less evidence than passages of other results.
 */
import type { PassageAnswer, SearchResult } from '../searcher.ts';
import type { ShownDocument } from '../shard/mod.ts';
import { type TermQuery, usesOf } from '../terms/mod.ts';
import type { EmbedText } from './passage-by-meaning.ts';

/** The number of results that are searched for a passage that answers the query. */
export const PASSAGE_RESULTS = 2;
/** The maximum number of passages whose vector is computed; each takes about 10 ms, as long as the rest of a query. */
const COMPARED = 2;
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
}

interface ComparedCandidate extends Candidate {
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
  const isAsked = isAsking(query.text);
  const possible = details
    .flatMap(({ answers = [] }, place) => answers.map((passage) => ({ place, passage })))
    .filter(canAnswer)
    .sort((a, b) => wordEvidence(b) - wordEvidence(a));
  if (possible.length === 0) return null;
  const asked = embed(query.text);
  const compared = asked ? possible.slice(0, COMPARED) : possible;
  const best = compared.find((candidate) =>
    isStrong({ ...candidate, similarity: asked && similarityTo(asked, candidate, embed) }, isAsked),
  );
  return best ? answerOf(best, results[best.place]!) : null;
}

function wordEvidence({ place, passage }: Candidate): number {
  return passage.share + passage.topicShare - 0.1 * place;
}

/** Returns the similarity of a passage, together with its heading, to the vector `asked` of the query. */
function similarityTo(
  asked: Int8Array,
  { passage: { heading, text } }: Candidate,
  embed: EmbedText,
): number | null {
  const vector = embed(heading === '' ? text : `${heading}. ${text}`);
  return vector && cosineOf(asked, vector);
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
 * Returns true if a passage, its heading and the title of its page together have nearly all words of the query.
 * Only then may the passage be an answer, and its meaning is compared. A passage about "password" does not
 * answer "change my password" if the word "change" is missing.
 */
function canAnswer({ passage: { topicShare, headingShare } }: Candidate): boolean {
  return headingShare >= 0.4 && topicShare >= 0.95;
}

/**
 * Returns true if the evidence that a passage answers the query is strong enough. The limits, also those of
 * `canAnswer`, were chosen by reading the passages for how-to and concept queries on two crawls of real
 * documentation; docs/decisions/0035-answers-from-the-archive.md has the figures.
 */
function isStrong({ place, passage, similarity }: ComparedCandidate, isAsked: boolean): boolean {
  const { share, topicShare, headingShare } = passage;
  if (similarity === null)
    return isAsked && place === 0 && share >= 0.5 && headingShare >= 0.5 && topicShare >= 0.95;
  return similarity >= (place > 0 ? 0.75 : isAsked ? 0.62 : 0.7);
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
