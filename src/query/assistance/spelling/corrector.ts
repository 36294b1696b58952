/**
 * Corrects a sequence of words with the noisy-channel model (M. D. Kernighan, K. W. Church, W. A. Gale 1990) over
 * the vocabulary of the index. The previous word is the context.
 *
 *   best sequence = argmax  Π  P(typed | meant) · P(meant | word before)
 *
 * The candidates for a word are the word itself and similar words of the vocabulary. The Viterbi algorithm finds the
 * best sequence.
 *
 * Most words are correct, and correct words must not be changed. Therefore a word that the index contains is
 * replaced only if the sequence becomes much more likely (`CAUTION`); the more frequent the word, the higher the
 * threshold. Everyday words are never replaced, even if the index does not contain them, and neither are queries in
 * a language that the index does not have (plain-words.ts). A word is never replaced by another form of itself (with
 * the same term), and a word of the index is never replaced by a function word. Numbers and words shorter than
 * MIN_LENGTH are neither corrected nor used as context: `5 miles` does not become `5 files`.
 */
import { UNKNOWN_WORD, type Vocabulary } from '../../../lexicon/mod.ts';
import { type Stemming, termOf } from '../../../text/mod.ts';
import { FUNCTION_WORDS } from '../../terms/mod.ts';
import { PlainWords } from './plain-words.ts';
import { typingLikelihood } from './typing-errors.ts';

/** The minimum length of a word that is corrected. Too many words are one edit away from a shorter word. */
const MIN_LENGTH = 3;
/** Words of up to this length are corrected by at most one edit, longer words by at most two. */
const SHORT_WORD = 5;
const MAX_CANDIDATES = 24;
/** The weight of the probability of a word after the previous word. The rest of the weight is for the word alone. */
const CONTEXT = 0.7;
/**
 * The threshold for replacing a word that the index contains, in nats: it must be e^CAUTION times as likely that the
 * word is a typing error as that it is correct.
 */
const CAUTION = 4;
/**
 * The penalty for keeping a word that the index does not contain, in nats. It is moderate because the word may be
 * correct but missing in the index. With 12 instead of 8, a third more of such correct words were changed, and only
 * one more error in a thousand was corrected.
 */
const UNKNOWN_LOSS = 8;

interface Candidate {
  word: string;
  number: number;
  /** The logarithm of P(typed | meant), minus the penalty for replacing a known word. */
  channel: number;
}

interface Step {
  candidate: Candidate;
  score: number;
  before: Step | null;
}

export class Corrector {
  readonly #vocabulary: Vocabulary;
  readonly #plain: PlainWords;

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
    this.#plain = new PlainWords(vocabulary);
  }

  /** Returns the corrected words, one for each given word; a correct word is returned unchanged. */
  correct(words: readonly string[]): string[] {
    const isPlain = this.#plain.in(words);
    const stemmings = this.#plain.stemmingsOf(words);
    let steps: Step[] = [];
    for (const [at, word] of words.entries()) {
      const candidates = this.#candidatesOf(word, isPlain[at]!, stemmings);
      steps = candidates.map((candidate) => this.#bestStep(candidate, at === 0 ? [] : steps));
    }
    const corrected: string[] = [];
    for (let step = bestOf(steps); step; step = step.before) corrected.unshift(step.candidate.word);
    return corrected;
  }

  #candidatesOf(typed: string, isPlain: boolean, stemmings: readonly Stemming[]): Candidate[] {
    const number = this.#vocabulary.numberOf(typed);
    const itself = { word: typed, number, channel: number === UNKNOWN_WORD ? -UNKNOWN_LOSS : 0 };
    if (typed.length < MIN_LENGTH || /\d/.test(typed) || isPlain) return [itself];
    const caution = number === UNKNOWN_WORD ? 0 : CAUTION + Math.log(this.#vocabulary.countOf(number));
    const reach = typed.length <= SHORT_WORD ? 1 : 2;
    const near: Candidate[] = [];
    const ownTerms = stemmings.map((stemming) => termOf(typed, stemming));
    for (const other of this.#vocabulary.neighboursOf(typed)) {
      if (other === number) continue;
      const word = this.#vocabulary.wordOf(other);
      const isLost = number !== UNKNOWN_WORD && FUNCTION_WORDS.has(word);
      if (isLost || word.length < MIN_LENGTH - 1) continue;
      const likelihood = typingLikelihood(typed, word, reach);
      if (likelihood === Number.NEGATIVE_INFINITY || isForm(word, ownTerms, stemmings)) continue;
      near.push({ word, number: other, channel: likelihood - caution });
    }
    const value = (each: Candidate) => each.channel + this.#alone(each.number);
    return [itself, ...near.sort((a, b) => value(b) - value(a)).slice(0, MAX_CANDIDATES)];
  }

  #bestStep(candidate: Candidate, steps: readonly Step[]): Step {
    if (steps.length === 0)
      return { candidate, score: candidate.channel + this.#alone(candidate.number), before: null };
    const next = steps.map((before) => ({
      candidate,
      score: before.score + candidate.channel + this.#behind(before.candidate, candidate),
      before,
    }));
    return bestOf(next)!;
  }

  /** Returns the logarithm of the probability of a word. */
  #alone(number: number): number {
    const count = number === UNKNOWN_WORD ? 0.5 : this.#vocabulary.countOf(number);
    return Math.log(count / Math.max(this.#vocabulary.total, 1));
  }

  /** Returns the logarithm of the probability of a word after another word. */
  #behind(first: Candidate, second: Candidate): number {
    if (!isContext(first)) return this.#alone(second.number);
    const together = this.#vocabulary.together(first.number, second.number);
    const share = together / this.#vocabulary.countOf(first.number);
    return Math.log(CONTEXT * share + (1 - CONTEXT) * Math.exp(this.#alone(second.number)));
  }
}

/**
 * Returns true if a word has the same term as the typed word in one of the languages: "run" and "running" in English.
 * `terms` has the term of the typed word in each of the languages.
 */
function isForm(word: string, terms: readonly string[], stemmings: readonly Stemming[]): boolean {
  return stemmings.some((stemming, at) => termOf(word, stemming) === terms[at]);
}

function isContext({ word, number }: Candidate): boolean {
  return number !== UNKNOWN_WORD && word.length >= MIN_LENGTH && !/\d/.test(word);
}

/**
 * Returns the most likely step of the Viterbi algorithm. If several are equally likely, returns the first, so that a
 * tie keeps the typed word.
 */
function bestOf(steps: readonly Step[]): Step | null {
  let best: Step | null = null;
  for (const step of steps) if (best === null || step.score > best.score) best = step;
  return best;
}
