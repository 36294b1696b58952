/**
 * What a row of words was probably meant to be: the noisy channel over the index's own vocabulary (M. D. Kernighan,
 * K. W. Church, W. A. Gale 1990), with the word before as context.
 *
 *   best row = argmax  Π  P(typed | meant) · P(meant | word before)
 *
 * Candidates are the word itself and its neighbours in the vocabulary; Viterbi's algorithm finds the best row among
 * all. A word that the index knows is only replaced when the row becomes likelier by far (`CAUTION`), the more so the
 * better it is known: whoever typed a correct word must be left alone, and most words are correct. For the same reason words
 * of everyday language are not replaced, though an index may not know them, nor queries in another language than its own
 * (plain-words.ts). Numbers and the shortest
 * words stand before everything and are no context: `5 miles` is not meant to be `5 files`.
 */
import { UNKNOWN_WORD, type Vocabulary } from '../../words/mod.ts';
import { PlainWords } from './plain-words.ts';
import { typingLikelihood } from './typing-errors.ts';

/** Shorter words are one edit from too many others. */
const MIN_LENGTH = 3;
/** Up to here one edit, beyond two. */
const SHORT_WORD = 5;
const MAX_CANDIDATES = 24;
/** How much of the probability comes from the word before rather than from the word alone. */
const CONTEXT = 0.7;
/** In nats: an error in a word that exists must be so many times (e to the power of) likelier than none. */
const CAUTION = 4;
/**
 * A word that the index does not know is worth less than any that it does. Not much less, as it may just be one that the
 * index lacks: with 12, a third more of such words were taken for errors, and one error in a thousand more was found.
 */
const UNKNOWN_LOSS = 8;

interface Candidate {
  word: string;
  number: number;
  /** The logarithm of P(typed | meant), with caution. */
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

  /** The words as they were probably meant, as many as there are; the same ones if nothing is wrong. */
  correct(words: readonly string[]): string[] {
    const isPlain = this.#plain.in(words);
    let steps: Step[] = [];
    for (const [at, word] of words.entries()) {
      const candidates = this.#candidatesOf(word, isPlain[at]!);
      steps = candidates.map((candidate) => this.#bestStep(candidate, at === 0 ? [] : steps));
    }
    const corrected: string[] = [];
    for (let step = bestOf(steps); step; step = step.before) corrected.unshift(step.candidate.word);
    return corrected;
  }

  knows(word: string): boolean {
    return this.#vocabulary.numberOf(word) !== UNKNOWN_WORD;
  }

  #candidatesOf(typed: string, isPlain: boolean): Candidate[] {
    const number = this.#vocabulary.numberOf(typed);
    const itself = { word: typed, number, channel: number === UNKNOWN_WORD ? -UNKNOWN_LOSS : 0 };
    if (typed.length < MIN_LENGTH || /\d/.test(typed) || isPlain) return [itself];
    const caution = number === UNKNOWN_WORD ? 0 : CAUTION + Math.log(this.#vocabulary.counts[number]!);
    const reach = typed.length <= SHORT_WORD ? 1 : 2;
    const near: Candidate[] = [];
    for (const other of this.#vocabulary.neighboursOf(typed)) {
      const word = this.#vocabulary.wordOf(other);
      const likelihood = typingLikelihood(typed, word, reach);
      if (other !== number && word.length >= MIN_LENGTH - 1 && likelihood > Number.NEGATIVE_INFINITY)
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

  /** The logarithm of how common a word is. */
  #alone(number: number): number {
    const { counts, total } = this.#vocabulary;
    return Math.log((number === UNKNOWN_WORD ? 0.5 : counts[number]!) / Math.max(total, 1));
  }

  /** The same behind another word. */
  #behind(first: Candidate, second: Candidate): number {
    const { counts } = this.#vocabulary;
    if (!isContext(first)) return this.#alone(second.number);
    const share = this.#vocabulary.together(first.number, second.number) / counts[first.number]!;
    return Math.log(CONTEXT * share + (1 - CONTEXT) * Math.exp(this.#alone(second.number)));
  }
}

function isContext({ word, number }: Candidate): boolean {
  return number !== UNKNOWN_WORD && word.length >= MIN_LENGTH && !/\d/.test(word);
}

/** The first of the best, so that a tie leaves the word as it is. */
function bestOf(steps: readonly Step[]): Step | null {
  let best: Step | null = null;
  for (const step of steps) if (best === null || step.score > best.score) best = step;
  return best;
}
