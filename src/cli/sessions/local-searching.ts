/**
 * Opens a searcher over the local index, together with the ranking profile, synonyms, link graph and model that it
 * needs, for callers that search in this process or thread.
 */
import { BoundedCache, type Log, messageOf, systemClock } from '../../base/mod.ts';
import { openLinks } from '../../graph/mod.ts';
import type { Embedder } from '../../meaning/mod.ts';
import {
  openSearcher,
  QueryCorrector,
  type QueryVector,
  type RefreshingSearcher,
  SynonymsFollower,
} from '../../query/mod.ts';
import { readDomainLists } from '../../url/mod.ts';
import type { DataDirectory } from '../data-directory.ts';
import { chooseProfile, ProfileFollower } from '../profiles/mod.ts';
import type { Config } from '../settings/mod.ts';
import { readSynonymRules } from '../synonym-rules.ts';
import { GraphLookup } from './graph-lookup.ts';
import { openModel } from './model.ts';

export interface LocalSearching extends RefreshingSearcher {
  /** Loads the words for spelling corrections, which are otherwise loaded for the first query that may need one. */
  loadVocabulary(): void;
  /**
   * Runs sample queries until `isOver` returns true, so that the code of queries is compiled. Returns true if no sample
   * query is left.
   */
  warmUp(isOver: () => boolean): Promise<boolean>;
}

/**
 * Opens a searcher. `isHurried` is polled while a query runs: when it returns true, the query stops and returns the
 * results so far.
 */
export function openLocalSearching(
  data: DataDirectory,
  config: Config,
  log: Log,
  {
    profile,
    embedder = openOnce(() => openModelOrWarn(data, config, log)),
    ...options
  }: {
    cacheBytes: number;
    answerBytes: number;
    isHurried?: () => boolean;
    verifiesLater?: boolean;
    /** Name or file of a ranking profile; by default the one in force, also after it has changed. */
    profile?: string | undefined;
    /**
     * Returns the embedder that computes vectors of queries, or null while it is not loaded. By default the
     * model is opened for the first query that needs it.
     */
    embedder?: () => Embedder | null;
  },
): LocalSearching {
  const links = new GraphLookup(() => openLinks(data.graph), log);
  const { timeLimitMs, familyFilter, familyLists } = config.serve;
  const synonyms = new SynonymsFollower(data.words, readSynonymRules(config.serve.synonyms), log);
  const corrector = new QueryCorrector(data.index, log);
  const inForce = profile === undefined ? new ProfileFollower(data.root, config.serve.profile, log) : null;
  const searcher = openSearcher(data.index, {
    log,
    clock: systemClock,
    family: { level: familyFilter, isListed: readDomainLists(familyLists) },
    timeLimitMs,
    links: () => links,
    synonyms: () => synonyms,
    profile: inForce?.profile ?? chooseProfile(data.root, profile!),
    embedQuery: embedQueryWith(embedder),
    correct: (query) => corrector.correct(query),
    ...options,
  });
  return {
    warmUp: (isOver) => searcher.warmUp(isOver),
    search: (request) => searcher.search(request),
    explain: (query, url, request) => searcher.explain(query, url, request),
    loadVocabulary: () => void corrector.correct(''),
    stats: () => searcher.stats(),
    refresh: () => {
      if (searcher.refresh()) links.refresh();
      if (inForce?.refresh()) searcher.useProfile(inForce.profile);
      synonyms.refresh();
      corrector.refresh();
    },
    close: () => {
      searcher.close();
      links.close();
    },
  };
}

/** Maximum number of cached query vectors. All tabs and result pages of one query need the same vector. */
const MAX_QUERY_VECTORS = 1000;

/**
 * Opens the model that turns texts into vectors. Returns null if there is no usable model; pages are then found by
 * their words only.
 */
function openModelOrWarn(data: DataDirectory, config: Config, log: Log): Embedder | null {
  try {
    return openModel(data, config);
  } catch (error) {
    log.warn('no search by meaning', { reason: messageOf(error) });
    return null;
  }
}

function openOnce(open: () => Embedder | null): () => Embedder | null {
  let opened: Embedder | null | undefined;
  return () => {
    if (opened === undefined) opened = open();
    return opened;
  };
}

/**
 * Returns a function that turns queries into vectors. The first query opens the model that the configuration
 * names.
 */
export function embedQueryBy(
  data: DataDirectory,
  config: Config,
  log: Log,
): ReturnType<typeof embedQueryWith> {
  return embedQueryWith(openOnce(() => openModelOrWarn(data, config, log)));
}

/**
 * Returns a function that turns queries into vectors. If the index has no vectors, no vectors of queries are
 * computed, and `embedderOf` is never called.
 */
export function embedQueryWith(
  embedderOf: () => Embedder | null,
): (text: string, languages: readonly string[]) => QueryVector | null {
  const known = BoundedCache.clearedWhenFull<string, Int8Array>(MAX_QUERY_VECTORS);
  return (text, languages) => {
    const embedder = embedderOf();
    if (!embedder || !languages.every((language) => embedder.knowsLanguage(language))) return null;
    const vector = known.remember(text, () => embedder.embed([text])[0]!);
    return { model: embedder.modelId, vector };
  };
}
