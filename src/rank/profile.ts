/**
 * A ranking as data: all its numbers in one object, read from a JSON file. Another ranking is another file.
 *
 *   k1, b, staticWeight, staticLimit   the first stage, which every match goes through
 *   functionWords                      what is left of the weight of words like "the"
 *   candidates, close                  how many of the best matches get a glance, and how many of those a closer look:
 *                                      at positions, titles, feedback
 *   fields                             the second stage's own weights of the fields of a page
 *   model, weights                     which features there are, and what each is worth
 *   feedback                           whether the best candidates lend their words to the query; see feedback.ts
 */
import { UsageError } from '../base/mod.ts';

/** `linear` is ours; the others are published designs, for comparison. */
export const MODELS = ['linear', 'compass', 'yase', 'snippet'] as const;
export type Model = (typeof MODELS)[number];

/** What one occurrence counts, by where it stands. */
export interface FieldWeights {
  body: number;
  title: number;
  heading: number;
  emphasis: number;
  link: number;
  url: number;
  /** A vote of an average host for what the page is called. */
  anchor: number;
}

export interface Feedback {
  /** How many of the best documents lend words, and how many words in all. */
  documents: number;
  words: number;
  /** Shorter queries are left as they are: they name one thing, and feedback would blur it. */
  minWords: number;
}

export interface Profile {
  name: string;
  about: string;
  model: Model;
  /** BM25: how soon further occurrences of a word count for nothing. */
  k1: number;
  /** BM25: how much long documents are held back; 0 not at all, 1 in full proportion. */
  b: number;
  /** Per doubling of the rank by links, from an unknown page up. */
  staticWeight: number;
  /** The most that the rank by links can add in the first stage. */
  staticLimit: number;
  functionWords: number;
  candidates: number;
  close: number;
  fields: FieldWeights;
  /** By feature; what is not named has none. */
  weights: Readonly<Record<string, number>>;
  feedback: Feedback | null;
}

const FIELDS = ['body', 'title', 'heading', 'emphasis', 'link', 'url', 'anchor'] as const;
/** What profiles from before it was a field do not name. */
const ABSENT_FIELDS = { anchor: 0 };
const FEEDBACK = ['documents', 'words', 'minWords'] as const;
const NUMBERS = ['k1', 'b', 'staticWeight', 'staticLimit', 'functionWords', 'candidates', 'close'] as const;
/** A yardstick looks at every match, so that the first stage has no say in it. */
export const MAX_CANDIDATES = 100_000;

/** `source` names the file in messages; `features` are those that the profile's model knows. */
export function parseProfile(
  json: string,
  source: string,
  features: (model: Model) => readonly string[],
): Profile {
  const refuse = (what: string): never => {
    throw new UsageError('bad-profile', `${source}: ${what}`);
  };
  const value = parseObject(json, refuse);
  const model =
    MODELS.find((known) => known === value.model) ?? refuse(`"model" is one of ${MODELS.join(', ')}`);
  const profile = {
    name: typeof value.name === 'string' && value.name !== '' ? value.name : refuse('"name" is missing'),
    about: typeof value.about === 'string' ? value.about : '',
    model,
    ...numbersOf(value, NUMBERS, '', refuse),
    fields: numbersOf({ ...ABSENT_FIELDS, ...objectOf(value.fields) }, FIELDS, 'fields.', refuse),
    weights: weightsOf(objectOf(value.weights), features(model), refuse),
    feedback:
      value.feedback == null ? null : numbersOf(objectOf(value.feedback), FEEDBACK, 'feedback.', refuse),
  };
  if (profile.candidates < 1 || profile.candidates > MAX_CANDIDATES)
    refuse(`"candidates" is from 1 to ${MAX_CANDIDATES}`);
  return profile;
}

function parseObject(json: string, refuse: (what: string) => never): Record<string, unknown> {
  try {
    return objectOf(JSON.parse(json));
  } catch (error) {
    return refuse(`is not JSON: ${(error as Error).message}`);
  }
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function numbersOf<Name extends string>(
  from: Record<string, unknown>,
  names: readonly Name[],
  prefix: string,
  refuse: (what: string) => never,
): Record<Name, number> {
  const entries = names.map((name) => {
    const value = from[name];
    return [name, isWeight(value) ? value : refuse(`"${prefix}${name}" is not a number from 0 up`)] as const;
  });
  return Object.fromEntries(entries) as Record<Name, number>;
}

function weightsOf(
  from: Record<string, unknown>,
  features: readonly string[],
  refuse: (what: string) => never,
): Record<string, number> {
  const unknown = Object.keys(from).find((name) => !features.includes(name));
  if (unknown !== undefined) refuse(`there is no feature "${unknown}"; there are ${features.join(', ')}`);
  const named = features.filter((name) => name in from);
  return numbersOf(from, named, 'weights.', refuse);
}

function isWeight(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
