/**
 * A ranking profile has all numbers of a ranking and is read from a JSON file.
 *
 *   k1, b, staticWeight, staticLimit   parameters of the first stage, which scores every match
 *   functionWords                      factor for the weight of function words such as "the"
 *     candidates, close                  number of best matches that get a rough score, and number that get all features:
 *                                      positions, titles, query expansion
 *   fields                             weights of the fields of a page in the second stage
 *   model, weights                     the set of features, and the weight of each
 *   feedback                           parameters of query expansion; see query/reranking/query-expansion.ts
 */
import { sha1Base32, UsageError } from '../base/mod.ts';

/**
 * The models of the second stage. `linear` is Gyre's own model; the others are published designs, for
 * comparison.
 */
const MODELS = ['linear', 'compass', 'yase', 'snippet'] as const;
export type Model = (typeof MODELS)[number];

/** The weight of one occurrence of a word, by field. */
export interface FieldWeights {
  body: number;
  title: number;
  heading: number;
  emphasis: number;
  link: number;
  url: number;
  /** The weight of menus, side bars and footers. */
  menu: number;
  /** The weight of one vote of an average host in the anchor texts of the page. */
  anchor: number;
}

interface Feedback {
  /**
   * `documents` is the number of documents from which expansion terms are taken, and `terms` the number of
   * terms.
   */
  documents: number;
  words: number;
  /**
   * The minimum number of words of a query that is expanded. Shorter queries name one subject precisely, and
   * expansion would blur it.
   */
  minWords: number;
}

export interface Profile {
  name: string;
  about: string;
  model: Model;
  /** The saturation of the term frequency in BM25. With a low value, further occurrences soon add nothing. */
  k1: number;
  /** The strength of the length normalization in BM25, from 0 (none) to 1 (full). */
  b: number;
  /**
   * The score that is added for each doubling of 1 + PageRank, where PageRank is relative to the mean and 0
   * if unknown.
   */
  staticWeight: number;
  /** The maximum score that PageRank can add in the first stage. */
  staticLimit: number;
  functionWords: number;
  candidates: number;
  close: number;
  fields: FieldWeights;
  /** The weight of each feature. A feature that is not listed has weight 0. */
  weights: Readonly<Record<string, number>>;
  feedback: Feedback | null;
}

const FIELDS = ['body', 'title', 'heading', 'emphasis', 'link', 'url', 'menu', 'anchor'] as const;
/** Defaults for fields that older profiles do not have. */
const ABSENT_FIELDS = { menu: 1, anchor: 0 };
const FEEDBACK = ['documents', 'words', 'minWords'] as const;
const NUMBERS = ['k1', 'b', 'staticWeight', 'staticLimit', 'functionWords', 'candidates', 'close'] as const;
/**
 * The maximum of `candidates`. It is large, because a baseline profile may rerank every match, so that the
 * first stage does not affect its results.
 */
const MAX_CANDIDATES = 100_000;

/**
 * Parses and validates a profile. `source` is the file name for error messages. `features` returns the names
 * of the features of a model.
 */
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

/** Returns a digest of the name and all numbers of a profile. Its description does not count. */
export function profileDigest({ about: _, ...counted }: Profile): string {
  return sha1Base32(Buffer.from(JSON.stringify(counted)));
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
