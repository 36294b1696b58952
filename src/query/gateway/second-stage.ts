/**
 * Orders the candidates of all shards by the scores of the second stage; reranking/rerank.ts computes the scores.
 *
 *   first stage   -> the best `candidates`, by rough score
 *   the best of those, the nearest by meaning, and those whose title is the query -> features, query expansion, final score
 *
 * Expansion terms are chosen from the best documents of all shards, by their document frequencies in all shards.
 */
import { inverseDocumentFrequency, modelScore, WHOLE_DOCUMENT, withExpansion } from '../../scoring/mod.ts';
import { ALL_STEMMINGS } from '../../text/mod.ts';
import { LateError } from '../deadline.ts';
import {
  chooseExpansionTerms,
  isExpanded,
  MIN_EXPANSION_DOCUMENTS,
  maxExpansionFrequency,
  placesByScore,
  sharedWords,
} from '../reranking/mod.ts';
import {
  type CandidateList,
  type DocumentId,
  fingerprintOfRanked,
  type RankedDocument,
} from '../results/mod.ts';
import type { ExpansionTerm } from '../shard/mod.ts';
import type { GlobalQuery } from './first-stage.ts';

/** The maximum number of possible expansion terms whose document frequencies are looked up. */
const LOOKED_UP = 100;

export interface GlobalRanking {
  /**
   * The candidates in their final order. Candidates with full features come before candidates with rough
   * scores.
   */
  documents: RankedDocument[];
  closeCount: number;
  /** For each document with full features, the score of the expansion terms; null if the query was not expanded. */
  expansion: readonly number[] | null;
  rarities: ReadonlyMap<string, number> | null;
}

/**
 * Returns the first `profile.candidates` matches in their final order. `factorOf` returns a factor for the scores of
 * a host, by the visitor's site rules; it affects which candidates get full features. The documents in `further`
 * always get full features. Throws a LateError if there is no time.
 */
export async function rankCandidates(
  search: GlobalQuery,
  list: CandidateList,
  further: readonly CandidateList[] = [],
  factorOf: ((host: string) => number) | null = null,
): Promise<GlobalRanking> {
  const { candidates, close } = search.profile;
  const count = Math.min(list.count, candidates);
  if (list.isRoughLate) throw new LateError();
  if (search.query.words.length === 0)
    return { documents: list.between(0, count), closeCount: 0, expansion: null, rarities: null };
  const rough = count > close ? roughRank(list, count, factorOf) : list.between(0, count);
  const chosen = withFurther(rough.slice(0, close), further);
  const rarities = await raritiesFor(search, chosen);
  const best = await fineRank(search, chosen, rarities);
  const expanded = await applyFeedback(search, best);
  return {
    ...expanded,
    documents: [...expanded.documents, ...without(rough.slice(close), chosen.slice(close))],
    closeCount: best.length,
    rarities,
  };
}

function withFurther(chosen: readonly RankedDocument[], further: readonly CandidateList[]): RankedDocument[] {
  const all = [...chosen];
  for (const list of further) all.push(...without(list.between(0, list.count), all));
  return all;
}

function without(
  documents: readonly RankedDocument[],
  others: readonly RankedDocument[],
): readonly RankedDocument[] {
  if (others.length === 0) return documents;
  const known = new Set(others.map(fingerprintOfRanked));
  const kept: RankedDocument[] = [];
  for (const document of documents) if (!known.has(fingerprintOfRanked(document))) kept.push(document);
  return kept;
}

/** Returns the candidates ordered by their rough scores, best first. */
function roughRank(
  list: CandidateList,
  count: number,
  factorOf: ((host: string) => number) | null,
): RankedDocument[] {
  const scores = list.roughScores(count);
  const chances = factorOf ? scores.map((score, at) => score * factorOf(list.hostOf(at))) : scores;
  const order = placesByScore(chances, (a, b) => (list.fingerprintOf(a) < list.fingerprintOf(b) ? -1 : 1));
  const ranked: RankedDocument[] = [];
  for (const at of order) ranked.push({ list, at, score: scores[at]!, features: NO_FEATURES });
  return ranked;
}

const NO_FEATURES: readonly number[] = [];

async function fineRank(
  { group, ...query }: GlobalQuery,
  documents: readonly RankedDocument[],
  rarities: ReadonlyMap<string, number> | null,
): Promise<RankedDocument[]> {
  const found = await group.askFor(idsOf(documents), (shard, request) =>
    shard.features({ ...request, ...query, rarities }),
  );
  return documents
    .map(({ list, at }, place) => {
      const features = found[place]!;
      return { list, at, features, score: modelScore(query.profile, query.statistics, features) };
    })
    .sort(byScore);
}

/** Adds the score of the expansion terms to each document. Returns the documents in the new order, best first. */
async function applyFeedback(
  search: GlobalQuery,
  documents: RankedDocument[],
): Promise<Pick<GlobalRanking, 'documents' | 'expansion'>> {
  const terms = await expansionTermsFor(search, documents);
  if (terms.length === 0) return { documents, expansion: null };
  const { group, ...query } = search;
  const scores = await group.askFor(idsOf(documents), (shard, request) =>
    shard.expansionScores({ ...request, ...query, terms }),
  );
  const scored = documents.map(({ list, at, features: known }, place) => {
    const features = withExpansion(known, scores[place]!);
    const score = modelScore(query.profile, query.statistics, features);
    return { document: { list, at, features, score }, expansion: scores[place]! };
  });
  scored.sort((a, b) => byScore(a.document, b.document));
  return {
    documents: scored.map(({ document }) => document),
    expansion: scored.map(({ expansion }) => expansion),
  };
}

/** Chooses the expansion terms of the query from its best documents. `documents` are ordered, best first. */
async function expansionTermsFor(
  { group, profile, statistics }: GlobalQuery,
  documents: readonly RankedDocument[],
): Promise<ExpansionTerm[]> {
  if (!isExpanded(profile, statistics) || documents.length === 0) return [];
  const { docCount } = statistics;
  const best = documents.slice(0, profile.feedback!.documents);
  const counted = await group.askFor(idsOf(best), (shard, request) => shard.topicTerms(request));
  const shared = sharedWords(
    counted.map((terms) => terms!),
    best.map(({ score }) => score),
    Math.min(MIN_EXPANSION_DOCUMENTS, best.length),
    LOOKED_UP,
  );
  const terms = shared.map(({ term }) => ({ term, stemmings: ALL_STEMMINGS }));
  const limits = { inAnchors: false, includesDeleted: false, ceiling: maxExpansionFrequency(docCount) };
  const replies = await group.ask((shard, request) => shard.countDocuments({ ...request, ...limits, terms }));
  const frequencies = terms.map((_, at) => replies.reduce((sum, { own }) => sum + own[at]!, 0));
  return chooseExpansionTerms(shared, frequencies, docCount, profile.feedback!.words);
}

/**
 * Returns the IDFs of all terms of the documents, if the ranking profile needs them. Returns null if there is
 * only one shard, because this shard looks up the IDFs itself.
 */
async function raritiesFor(
  { group, profile, statistics: { docCount } }: GlobalQuery,
  documents: readonly RankedDocument[],
): Promise<ReadonlyMap<string, number> | null> {
  if (group.count === 1 || WHOLE_DOCUMENT[profile.model] !== 'vector') return null;
  const all = new Set<string>();
  await group.askFor(idsOf(documents), async (shard, request) => {
    for (const term of await shard.documentTerms(request)) all.add(term);
    return [];
  });
  const terms = Array.from(all, (term) => ({ term, stemmings: ALL_STEMMINGS }));
  const limits = { inAnchors: false, includesDeleted: true, ceiling: Number.POSITIVE_INFINITY };
  const replies = await group.ask((shard, request) => shard.countDocuments({ ...request, ...limits, terms }));
  return new Map(
    terms.map(({ term }, at) => {
      const frequency = replies.reduce((sum, { own }) => sum + own[at]!, 0);
      return [term, inverseDocumentFrequency(docCount, Math.min(frequency, docCount))];
    }),
  );
}

export function idsOf(documents: readonly RankedDocument[]): DocumentId[] {
  const ids: DocumentId[] = [];
  for (const { list, at } of documents) ids.push(list.idOf(at));
  return ids;
}

function byScore(a: RankedDocument, b: RankedDocument): number {
  return b.score - a.score || (fingerprintOfRanked(a) < fingerprintOfRanked(b) ? -1 : 1);
}
