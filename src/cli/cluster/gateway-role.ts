/**
 * The role `gateway`: serves the search pages and the API over the shards of the search nodes.
 *
 * The lexicons of the segments are copied to this node, for suggestions and corrections. Preference cookies are
 * signed with a key that is derived from the secret of the cluster, so every gateway accepts the cookies of the
 * others.
 */
import { createHmac } from 'node:crypto';
import { type Directory, systemClock } from '../../base/mod.ts';
import { copyPhrases, type PhraseCopies, replicatedShard, SearchNodes } from '../../cluster/mod.ts';
import {
  AssistedSearcher,
  Gateway,
  QueryCorrector,
  type RefreshingSearcher,
  SynonymsFollower,
} from '../../query/mod.ts';
import { createServer, listen, type PageArchive } from '../../serve/mod.ts';
import { tell } from '../output.ts';
import { openClusterTools } from '../cluster-facts/mod.ts';
import { isLocalOnly, openAnswers } from '../serving/mod.ts';
import { readSynonymRules } from '../synonym-rules.ts';
import { VERSION } from '../version.ts';
import { iconOfOrigin, openGatewayArchive } from './gateway-archive.ts';
import { applySettings } from './live-settings.ts';
import type { NodeContext, NodeRole } from './node-role.ts';
import { followMembers, messageKeyOf, publishedIndexes, secretOf, shardNamesOf } from './search-cluster.ts';

const REFRESH_MS = 1_000;

export const gatewayRole: NodeRole = {
  async run(context) {
    const { cluster, config, log } = context;
    const nodes = new SearchNodes(messageKeyOf(cluster), log);
    const directory = context.directory.directory('gateway');
    const words = directory.directory('words');
    const phrases = copyPhrases({
      shards: shardNamesOf(cluster),
      ...(await publishedIndexes(context)),
      directory,
      log,
    });
    const searcher = openSearcherOver(context, nodes, phrases, words);
    const refreshing = setInterval(() => searcher.refresh(), REFRESH_MS);
    const archive = await openGatewayArchive(context);
    const server = serverOf(context, searcher, archive);
    try {
      const following = followMembers(context, (members) => nodes.update(members));
      tell(`gateway listens at ${await listen(server, config.serve)}`);
      await following;
    } finally {
      clearInterval(refreshing);
      await server.close();
      searcher.close();
      await archive.close();
      await phrases.close();
      await nodes.close();
    }
  },
};

function openSearcherOver(
  { cluster, config, log }: NodeContext,
  nodes: SearchNodes,
  { directories }: PhraseCopies,
  words: Directory,
): AssistedSearcher {
  const synonyms = new SynonymsFollower(words, readSynonymRules(config.serve.synonyms), log);
  const corrector = new QueryCorrector(directories, log);
  const gateway = new Gateway(
    shardNamesOf(cluster).map((name) => replicatedShard(name, nodes)),
    {
      clock: systemClock,
      timeLimitMs: config.serve.timeLimitMs,
      answerBytes: Math.floor(config.serve.answerCacheBytes / 2),
      synonyms: () => synonyms,
      correct: (query) => corrector.correct(query),
    },
  );
  // The shards report new states by themselves; only the words for corrections are refreshed.
  const refreshing: RefreshingSearcher = {
    search: (request) => gateway.search(request),
    explain: (query, url, options) => gateway.explain(query, url, options),
    stats: () => gateway.stats(),
    refresh: () => corrector.refresh(),
    close: () => gateway.close(),
  };
  return new AssistedSearcher(refreshing, { index: directories, words }, log);
}

function serverOf(context: NodeContext, searcher: AssistedSearcher, archive: PageArchive) {
  const { cluster, config, log, database } = context;
  const { adminToken, siteRules, familyFilter, elsewhere, images, publicUrl, answerCacheBytes } =
    config.serve;
  const { contact } = config;
  const { answerer, details } = openAnswers(config, archive, { searcher, contact, log });
  return createServer({
    searcher,
    answerer,
    ...(details && { details }),
    archive,
    iconOf: (origin) => iconOfOrigin(database, origin, log),
    contact,
    log,
    clock: systemClock,
    version: VERSION,
    limits: config.serve,
    clusterTools: openClusterTools({
      cluster,
      database,
      check: (settings) => void applySettings(context, settings),
    }),
    adminToken,
    publicUrl,
    isLocal: isLocalOnly(config.serve),
    pageCacheBytes: Math.floor(answerCacheBytes / 2),
    siteRules,
    familyFilter,
    showsPictures: images === 'origin',
    elsewhere,
    secret: createHmac('sha256', 'gyre cookies').update(secretOf(cluster)).digest('base64url'),
  });
}
