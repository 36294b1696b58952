/**
 * A ranking profile: all numbers of a ranking in one object, read from a JSON file. Another ranking is
 * another file. The file that `gyre tune --install` writes is sealed as described in
 * base/files/sealed-json.ts.
 *
 *   k1, b, staticWeight, staticLimit   the first stage, which every match goes through
 *   functionWords                      factor for the weight of function words such as "the"
 *   candidates, close                  number of best matches with a rough score, and of those with all features:
 *                                      positions, titles, query expansion
 *   fields                             the second stage's own weights of the fields of a page
 *   model, weights                     the set of features, and the weight of each
 *   feedback                           parameters of query expansion; see query/reranking/query-expansion.ts
 */
import { UsageError } from '../base/mod.ts';

/** `linear` is our own model; the others are published designs, for comparison. */
const MODELS = ['linear', 'compass', 'yase', 'snippet'] as const;
export type Model = (typeof MODELS)[number];

/** The weight of one occurrence, by field. */
export interface FieldWeights {
  body: number;
  title: number;
  heading: number;
  emphasis: number;
  link: number;
  url: number;
  /** Menus, side bars and footers. */
  menu: number;
  /** The weight of one vote of an average host in the anchor texts of the page. */
  anchor: number;
}

interface Feedback {
  /** The number of documents from which expansion terms are taken, and the number of terms. */
  documents: number;
  words: number;
  /** Shorter queries are not expanded: they name one thing precisely, and expansion would blur it. */
  minWords: number;
}

export interface Profile {
  name: string;
  about: string;
  model: Model;
  /** BM25: the saturation of the term frequency; with a low value, further occurrences soon add nothing. */
  k1: number;
  /** BM25: the strength of the length normalization; 0 is none, 1 is full. */
  b: number;
  /** The score per doubling of 1 + PageRank (relative to the mean); an unknown page has 0. */
  staticWeight: number;
  /** The maximum that PageRank can add in the first stage. */
  staticLimit: number;
  functionWords: number;
  candidates: number;
  close: number;
  fields: FieldWeights;
  /** By feature; a feature that is not listed has weight 0. */
  weights: Readonly<Record<string, number>>;
  feedback: Feedback | null;
}

const FIELDS = ['body', 'title', 'heading', 'emphasis', 'link', 'url', 'menu', 'anchor'] as const;
/** Defaults for fields that older profiles do not have. */
const ABSENT_FIELDS = { menu: 1, anchor: 0 };
const FEEDBACK = ['documents', 'words', 'minWords'] as const;
const NUMBERS = ['k1', 'b', 'staticWeight', 'staticLimit', 'functionWords', 'candidates', 'close'] as const;
/** A baseline profile may rerank every match, so that the first stage does not affect its results. */
const MAX_CANDIDATES = 100_000;

/** `source` is the file name for error messages; `features` returns the features of a model. */
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
