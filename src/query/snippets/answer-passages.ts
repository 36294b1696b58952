/**
 * Finds passages of a document that may answer a query: the first one to three sentences of the first paragraph
 * below each heading, and the code block that they introduce. Later paragraphs contain details. A paragraph
 * that refers to the page ("This page describes") or to earlier text ("However") is skipped, because it cannot
 * be understood alone. A passage is also skipped if its heading has content words that neither the query nor
 * the title has: for the query "fill missing values", a passage below "Interpolation limits" covers only a part
 * of the topic.
 *
 * A passage is rated by the words of the query that it has (`share`), and by the words that the passage, its
 * heading and the title of the document have together (`topicShare`). Most answers do not repeat the topic of
 * their page: below the title "Borg" and the heading "Deduplication", the answer contains neither word.
 */
import type { StoredDocument } from '../../index/mod.ts';
import { FUNCTION_WORDS } from '../terms/mod.ts';
import type { Sought } from './best-window.ts';
import type { Hit } from './query-highlighter.ts';
import { blockEnd, isProse, isSentenceStart } from './sentences.ts';
import { shareOf, wordsIn } from './word-share.ts';

export interface AnswerPassage {
  /** The passage as plain text. */
  text: string;
  /** The positions of the query's words in `text`: [start, end). */
  highlights: [number, number][];
  /** The heading above the passage; empty if there is none. */
  heading: string;
  /** The code block after the passage, with line breaks; absent if there is none. */
  code?: string;
  /** The share of the query's total word weight that the passage contains, from 0 to 1. */
  share: number;
  /** The share of the query's total word weight in the passage, its heading and the title together. */
  topicShare: number;
  /** The share of the query's total word weight in the heading and the title, without the passage. */
  headingShare: number;
}

/** The maximum number of passages of a document that are returned. The gateway compares their meaning with the query. */
const MAX_PASSAGES = 3;
const SEARCHED_LENGTH = 30_000;
const MIN_LENGTH = 60;
const MAX_LENGTH = 320;
const MAX_SENTENCES = 3;
/** The minimum share of the query's word weight that a passage must contain. */
const MIN_SHARE = 0.3;
/**
 * The penalty of a passage at the end of the searched text. A passage in the middle has half of this penalty,
 * and a passage at the beginning has none, because most answers are near the beginning.
 */
const LATE_LOSS = 0.15;

interface Candidate extends AnswerPassage {
  rating: number;
}

/** Returns the passages of a document that may answer the query, best first. */
export function answerPassagesOf(document: StoredDocument, sought: Sought): AnswerPassage[] {
  const { text, title, maxSnippet } = document;
  if (maxSnippet !== undefined) return [];
  const candidates: Candidate[] = [];
  const limit = Math.min(text.length, SEARCHED_LENGTH);
  let isFirst = true;
  for (let at = 0; at < limit; ) {
    const end = blockEnd(text, at);
    if (isHeading(document, at)) isFirst = true;
    else if (isFirst && end - at >= MIN_LENGTH && isProse(text, at, end)) {
      isFirst = false;
      const best = isOnTopic(document, at, sought) && bestOfBlock(document, title, at, end, sought);
      if (best) candidates.push(best);
    }
    at = end + 1;
  }
  return candidates.sort((a, b) => b.rating - a.rating).slice(0, MAX_PASSAGES);
}

function bestOfBlock(
  document: StoredDocument,
  title: string,
  from: number,
  to: number,
  sought: Sought,
): Candidate | null {
  const heading = headingBefore(document, from);
  const about = wordsIn(`${title}\n${heading}`, sought);
  const starts = sentenceStarts(document.text, from, to);
  let best: Candidate | null = null;
  for (let count = 1; count <= Math.min(MAX_SENTENCES, starts.length); count++) {
    const end = starts[count] ?? to;
    const text = document.text.slice(from, end).trim();
    if (text.length > MAX_LENGTH || !isSpeech(text)) break;
    if (text.length < MIN_LENGTH) continue;
    const piece = { text, heading, start: from, end, isLast: end === to };
    const candidate = rated(document, piece, about, sought);
    if (candidate && candidate.rating > (best?.rating ?? 0)) best = candidate;
  }
  return best;
}

interface Piece {
  text: string;
  heading: string;
  start: number;
  end: number;
  /** True if the passage reaches to the end of its paragraph. */
  isLast: boolean;
}

function rated(
  document: StoredDocument,
  piece: Piece,
  about: ReadonlySet<number>,
  sought: Sought,
): Candidate | null {
  const { text, heading, start, end, isLast } = piece;
  const hits: Hit[] = [];
  sought.finder.find(text, 0, text.length, hits);
  const own = new Set(hits.map(({ word }) => word));
  const share = shareOf(own, sought);
  if (share < MIN_SHARE) return null;
  const topicShare = shareOf(new Set([...own, ...about]), sought);
  const late = (LATE_LOSS * start) / SEARCHED_LENGTH;
  const code = isLast ? codeAfter(document, end) : undefined;
  const highlights = hits
    .filter(({ word }) => sought.isMarked?.[word] ?? true)
    .map((hit): [number, number] => [hit.start, hit.end]);
  return {
    ...{ text, heading, highlights, share, topicShare, headingShare: shareOf(about, sought) },
    ...(code !== undefined && { code }),
    rating: share + topicShare - late,
  };
}

/** The maximum share of special characters, such as `{`, in running text. Code, formulas and tables have more. */
const MAX_SIGNS = 0.03;
const SIGN = /[^\p{L}\p{M}\p{N}\s.,;:!?'"()’“”„«»–—।؟،。、-]/gu;

/**
 * Matches a passage that cannot be understood alone: its beginning refers to the page or to earlier text, or it
 * refers to a numbered table or section.
 */
const DEPENDENT =
  /^(?:th(?:is|ese|ose|ey|en)|it|its|in this|the (?:following|above|last|next|previous|first|second|rest)|for (?:more|example|details)|see|please|note|however|also|but|and|or|so|here|there(?:fore)?|such|as (?:above|mentioned|noted)|we|another|other|again|finally|dies|diese[rs]?|es|hier|siehe|ce|cette|ces|il|voir)\b|\b(?:table|figure|section|chapter|appendix) \d/i;

/** Returns true if the text consists of whole sentences that can be understood alone, and is not code or a table. */
function isSpeech(text: string): boolean {
  if (DEPENDENT.test(text)) return false;
  const signs = text.match(SIGN)?.length ?? 0;
  return (
    signs <= MAX_SIGNS * text.length &&
    /^[\p{Lu}\p{Lo}\p{N}"“„«'(]/u.test(text) &&
    /[.!?:।؟。]["”’)]?$/.test(text)
  );
}

/** Returns the code block directly after the paragraph that ends at `end`. */
function codeAfter({ code = [] }: StoredDocument, end: number): string | undefined {
  return code.find(({ start }) => start >= end && start <= end + 1)?.code;
}

function isHeading({ headings = [] }: StoredDocument, at: number): boolean {
  for (const { start, end } of headings) if (start <= at && at < end) return true;
  return false;
}

/** Words of headings that name no topic of their own. */
const GENERAL_WORDS = new Set(
  'introduction overview description summary basics general concept concepts definition background'.split(
    ' ',
  ),
);
/**
 * Matches headings such as "Other options" or "Further reading", whose passages are about what the page has not
 * described before.
 */
const FURTHER = /\b(?:other|another|more|further|additional)\b/i;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/**
 * Returns true if the heading above `at` names the topic of the query: it is the first heading of the page, or
 * each of its content words is also in the query or in the title.
 */
function isOnTopic(document: StoredDocument, at: number, { finder }: Sought): boolean {
  const { title, headings = [] } = document;
  if (headings.filter(({ start }) => start <= at).length < 2) return true;
  const heading = headingBefore(document, at);
  if (FURTHER.test(heading)) return false;
  const hits: Hit[] = [];
  finder.find(heading, 0, heading.length, hits);
  const inTitle = new Set(title.toLowerCase().match(WORD));
  return Array.from(heading.matchAll(WORD)).every(({ 0: written, index }) => {
    const word = written.toLowerCase();
    const isKnown = FUNCTION_WORDS.has(word) || GENERAL_WORDS.has(word) || inTitle.has(word);
    return isKnown || /^\d+$/.test(word) || hits.some(({ start, end }) => start <= index && index < end);
  });
}

function headingBefore({ text, headings = [] }: StoredDocument, at: number): string {
  const heading = headings.findLast(({ start }) => start <= at);
  return heading ? text.slice(heading.start, heading.end) : '';
}

function sentenceStarts(text: string, from: number, to: number): number[] {
  const starts: number[] = [];
  for (let at = from; at < to; at++) if (at === from || isSentenceStart(text, at)) starts.push(at);
  return starts;
}
