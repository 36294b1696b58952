/** Inspects URLs and removes pages of a whole cluster, for the admin API of its gateways. */
import { systemClock } from '../../base/mod.ts';
import {
  type ClusterDatabase,
  clusterCaptures,
  openS3BlobStore,
  PostgresCrawlState,
  readUnindexedBatches,
  type S3Options,
  VnodeOwner,
} from '../../cluster/mod.ts';
import type { Gateway, Searcher } from '../../query/mod.ts';
import type { AdminTools, InspectRequest } from '../../serve/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import { removalsOfCluster } from '../cluster-removals/mod.ts';
import {
  crawlFactsIn,
  type InspectionSources,
  inspectUrl,
  linkFactsIn,
  type OpenRanking,
  reportInspection,
  visitsOfCaptures,
} from '../inspection/mod.ts';
import {
  type AffectedPages,
  changeAsAsked,
  describeRemovals,
  listRemovals,
  previewRemoval,
} from '../purging/mod.ts';
import type { RemovalTarget } from '../removals/mod.ts';
import type { Config } from '../settings/mod.ts';

const MAX_EXAMPLES = 10;

interface ToolsOptions {
  cluster: { file: string; shards: number; s3: Omit<S3Options, 'prefix'> };
  config: Config;
  database: ClusterDatabase;
  gateway: Pick<Gateway, 'inspect'>;
  searcher: Searcher;
  /** Returns the newest ranking with its link graph; null if there is none. */
  ranking(): OpenRanking | null;
}

export function openGatewayTools(options: ToolsOptions): AdminTools {
  const { cluster, database, gateway } = options;
  const place = removalsOfCluster(database, cluster.file, (url) => gateway.inspect(url));
  const inspect = (request: InspectRequest) => inspectUrl(sourcesOf(options), request.url, request);
  return {
    inspect,
    report: async (request) => reportInspection(await inspect(request), systemClock.now()),
    removals: () => listRemovals(place),
    listRemovals: () => describeRemovals(place),
    previewRemoval: (targets) => previewRemoval(place, targets, (rules) => affectedPages(options, rules)),
    change: (request) => changeAsAsked(place, request),
  };
}

/** Finds the documents that the rules cover through the index. URLs that are not indexed are not counted. */
async function affectedPages(
  { gateway, searcher }: ToolsOptions,
  rules: readonly RemovalTarget[],
): Promise<AffectedPages> {
  const examples: string[] = [];
  let documents = 0;
  for (const { kind, value } of rules) {
    if (kind === 'url') {
      if ((await gateway.inspect(value as CanonicalUrl)).document === null) continue;
      documents++;
      examples.push(value);
    } else {
      const query = `site:${value}`;
      const { total, results } = await searcher.search({
        query,
        offset: 0,
        limit: MAX_EXAMPLES,
        asTyped: true,
      });
      documents += total;
      examples.push(...results.map(({ url }) => url));
    }
  }
  return { documents, urls: documents, examples: examples.slice(0, MAX_EXAMPLES) };
}

function sourcesOf(options: ToolsOptions): InspectionSources {
  const { cluster, config, database, gateway, searcher, ranking } = options;
  return {
    config,
    removals: async () => (await removalsOfCluster(database, cluster.file).read()).rules,
    // This state holds no vnode: it finds rows by their keys, and writes none.
    crawl: (url) =>
      crawlFactsIn(new PostgresCrawlState(database, new VnodeOwner(database, '', 0)), url, config),
    visits: (url) => readVisits(options, url),
    links: async (url) => {
      const open = ranking();
      return open && linkFactsIn(open, url);
    },
    index: async (url) => {
      const waitingFiles = await readUnindexedBatches(database, cluster.shards, url);
      return { ...(await gateway.inspect(url)), waitingFiles };
    },
    search: (use) => use(searcher),
  };
}

/** Returns the captures of the URL. A cluster has no crawl log. */
async function readVisits({ cluster, database }: ToolsOptions, url: CanonicalUrl) {
  const archive = await openS3BlobStore({ ...cluster.s3, prefix: 'archive/' });
  return visitsOfCaptures(await clusterCaptures(database, archive).find(url));
}
