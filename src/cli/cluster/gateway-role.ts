/**
 * The role `gateway`: serves the search pages and the API over the shards of the search nodes.
 *
 * The lexicons of the segments are copied to this node, for suggestions and corrections, and the newest ranking with its
 * link graph, for `link:` queries. Preference cookies are signed with a key that is derived from the secret of the
 * cluster, so every gateway accepts the cookies of the others.
 */
import { createHmac } from 'node:crypto';
import { type Directory, type Log, messageOf, sleep, systemClock, UsageError } from '../../base/mod.ts';
import { copyPhrases, type PhraseCopies, replicatedShard, SearchNodes } from '../../cluster/mod.ts';
import { type Embedder, embedderOf } from '../../meaning/mod.ts';
import {
  AssistedSearcher,
  Gateway,
  QueryCorrector,
  type RefreshingSearcher,
  SynonymsFollower,
} from '../../query/mod.ts';
import { type AdminTools, createServer, listen, type PageArchive } from '../../serve/mod.ts';
import { createFirstAccount, openAccounts } from '../access/mod.ts';
import { openClusterTools } from '../cluster-facts/mod.ts';
import {
  iconOfOrigin,
  openGatewayArchive,
  openGatewayDesk,
  openGatewayTools,
  ShardWords,
  stateOfCluster,
} from '../gateway/mod.ts';
import { tell } from '../output.ts';
import { isLocalOnly, openAnswers, openBrand, standingIn, withoutRemoved } from '../serving/mod.ts';
import { readingPlanOf } from '../sessions/crawl-session.ts';
import { GraphLookup } from '../sessions/graph-lookup.ts';
import { embedQueryWith } from '../sessions/local-searching.ts';
import type { Config } from '../settings/mod.ts';
import { readSynonymRules } from '../synonym-rules.ts';
import { loadSharedModel } from '../threads/mod.ts';
import { VERSION } from '../version.ts';
import { applySettings } from './live-settings.ts';
import { NewestRanks } from './newest-ranks.ts';
import type { NodeContext, NodeRole } from './node-role.ts';
import { followMembers, messageKeyOf, publishedIndexes, secretOf, shardNamesOf } from './search-cluster.ts';

const REFRESH_MS = 1_000;
/** The interval between looks for a newer ranking. */
const RANKS_MS = 2_000;

export const gatewayRole: NodeRole = {
  async run(context) {
    const { cluster, config, log, signal } = context;
    refuseProfile(config);
    const nodes = new SearchNodes(messageKeyOf(cluster), log);
    const directory = context.directory.directory('gateway');
    const words = directory.directory('words');
    const phrases = copyPhrases({
      shards: shardNamesOf(cluster),
      ...(await publishedIndexes(context)),
      directory,
      log,
    });
    const ranks = await NewestRanks.open(context, 'gateway-ranks', true);
    const links = new GraphLookup(() => ranks.openLinks(), log);
    const embedder = await openEmbedder(config, log, signal);
    const { gateway, searcher } = openSearcherOver(context, { nodes, phrases, words, links, embedder });
    const refreshing = setInterval(() => searcher.refresh(), REFRESH_MS);
    const pool = await openGatewayArchive(context, readingPlanOf(config, context.cluster));
    const archive = withoutRemoved(pool, (url) => context.removals.urls.matches(url));
    const ranking = () => {
      const [table, tables] = [links.table, ranks.tables];
      return table && tables && { ...tables, links: table };
    };
    const tools = openGatewayTools({ ...context, gateway, searcher, ranking });
    const server = serverOf(context, { searcher, archive, tools });
    try {
      const following = [
        followMembers(context, (members) => nodes.update(members)),
        followRanks(context, { ranks, links, directory, words }),
      ];
      context.health.set('gateway', {
        notReady: () => (gateway.stats().generation === 0 ? 'no shard of the index can be reached' : null),
        gauges: () => [],
      });
      const account = await createFirstAccount(context.directory);
      const address = await listen(server, config.serve);
      tell(`gateway listens at ${address}`);
      if (account)
        tell(
          `administration at ${address}/admin: name ${account.name}, password ${account.password} (shown only this time)`,
        );
      await Promise.all(following);
    } finally {
      clearInterval(refreshing);
      await server.close();
      searcher.close();
      links.close();
      ranks.close();
      await pool.close();
      await phrases.close();
      await nodes.close();
    }
  },
};

/** Published profiles are files of a data directory, which a gateway lacks. */
function refuseProfile({ serve: { profile } }: Config): void {
  if (profile === '' || profile === 'default') return;
  throw new UsageError(
    'no-profile',
    `serve.profile is "${profile}", but a cluster ranks with the profile default: remove the setting`,
  );
}

/** Loads the model that turns queries into vectors. Returns null if search by meaning is off, or the model cannot be used. */
async function openEmbedder(config: Config, log: Log, signal: AbortSignal): Promise<Embedder | null> {
  try {
    const model = await loadSharedModel(config, 1, signal);
    return model && embedderOf(model);
  } catch (error) {
    if (!signal.aborted) log.warn('no search by meaning', { reason: messageOf(error) });
    return null;
  }
}

/**
 * Copies each new ranking for look-ups of links, and joins the names of all shards to suggestions and synonyms, until the
 * node is stopped. While a service is away, the last copies stay in use.
 */
async function followRanks(
  { cluster, log, signal }: NodeContext,
  followed: { ranks: NewestRanks; links: GraphLookup; directory: Directory; words: Directory },
): Promise<void> {
  const { ranks, links, directory, words } = followed;
  const parts = directory.directory('names');
  const shardWords = new ShardWords({ blobs: ranks.blobs, shards: cluster.shards, parts, words, log });
  for (let trouble = ''; !signal.aborted; ) {
    try {
      if (await ranks.refresh()) links.refresh();
      if (ranks.copies) await shardWords.refresh(ranks.copies.name, signal);
      trouble = '';
    } catch (error) {
      const reason = messageOf(error);
      if (reason !== trouble && !signal.aborted) log.warn('ranking not copied', { reason });
      trouble = reason;
    }
    await sleep(RANKS_MS, signal);
  }
}

interface SearchSources {
  nodes: SearchNodes;
  phrases: PhraseCopies;
  /** The directory with suggested phrases and synonyms. */
  words: Directory;
  links: GraphLookup;
  embedder: Embedder | null;
}

function openSearcherOver(
  { cluster, config, log }: NodeContext,
  { nodes, phrases: { directories }, words, links, embedder }: SearchSources,
): { gateway: Gateway; searcher: AssistedSearcher } {
  const synonyms = new SynonymsFollower(words, readSynonymRules(config.serve.synonyms), log);
  const corrector = new QueryCorrector(directories, log);
  const gateway = new Gateway(
    shardNamesOf(cluster).map((name) => replicatedShard(name, nodes)),
    {
      clock: systemClock,
      timeLimitMs: config.serve.timeLimitMs,
      answerBytes: Math.floor(config.serve.answerCacheBytes / 2),
      links: () => links,
      synonyms: () => synonyms,
      embedQuery: embedQueryWith(() => embedder),
      correct: (query) => corrector.correct(query),
    },
  );
  // The shards report new states by themselves; only the words are refreshed.
  const refreshing: RefreshingSearcher = {
    search: (request) => gateway.search(request),
    explain: (query, url, options) => gateway.explain(query, url, options),
    stats: () => gateway.stats(),
    refresh: () => {
      corrector.refresh();
      synonyms.refresh();
    },
    close: () => gateway.close(),
  };
  return { gateway, searcher: new AssistedSearcher(refreshing, { index: directories, words }, log) };
}

interface ServedParts {
  searcher: AssistedSearcher;
  archive: PageArchive;
  tools: AdminTools;
}

function serverOf(context: NodeContext, { searcher, archive, tools }: ServedParts) {
  const { cluster, config, log, database, directory, removals } = context;
  const { adminToken, siteRules, familyFilter, elsewhere, images, publicUrl, answerCacheBytes } =
    config.serve;
  const { contact } = config;
  const { answerer, details } = openAnswers(config, archive, { searcher, contact, log });
  return createServer({
    searcher,
    answerer,
    ...(details && { details }),
    archive,
    standingOf: (url) => standingIn(stateOfCluster(database), url, (each) => removals.urls.matches(each)),
    iconOf: (origin) => iconOfOrigin(database, origin, log),
    contact,
    log,
    clock: systemClock,
    version: VERSION,
    limits: config.serve,
    tools,
    clusterTools: openClusterTools({
      cluster,
      database,
      check: (settings) => void applySettings(context, settings),
    }),
    adminToken,
    admin: { accounts: openAccounts(directory), desk: openGatewayDesk(database, log) },
    allowsAdminHttp: config.serve.adminOverHttp === 'on',
    publicUrl,
    isLocal: isLocalOnly(config.serve),
    pageCacheBytes: Math.floor(answerCacheBytes / 2),
    brand: openBrand(config),
    siteRules,
    familyFilter,
    showsPictures: images === 'origin',
    elsewhere,
    secret: createHmac('sha256', 'gyre cookies').update(secretOf(cluster)).digest('base64url'),
  });
}
