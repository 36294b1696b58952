/** From the journal to ranks on disk: the whole of `gyre rank`. */
import { journalFiles, readJournal } from '../archive/mod.ts';
import { type Directory, Heap, type Log } from '../base/mod.ts';
import { LinkCollector, type WebGraph } from './link-collector.ts';
import { pageRank } from './pagerank.ts';
import { type RankedUrl, writeRanks } from './ranks-writer.ts';

export interface RankOptions {
  /** The directory of the journal. */
  journal: Directory;
  /** Where the ranks go. */
  output: Directory;
  log: Log;
  /** The chance of following a link rather than starting anew. Default 0.85. */
  damping?: number;
  /** Default 100. */
  maxIterations?: number;
}

export interface RankReport {
  /** Of the file that was written. */
  generation: number;
  /** Pages that were crawled. */
  pageCount: number;
  /** Pages that were crawled or are linked to. */
  nodeCount: number;
  linkCount: number;
  iterations: number;
  /** What the last iteration still changed, in total. */
  distance: number;
  /** The crawled pages with the highest ranks, best first. */
  topPages: RankedUrl[];
}

const DEFAULT_DAMPING = 0.85;
const DEFAULT_MAX_ITERATIONS = 100;
const TOLERANCE = 1e-6;
const TOP_PAGES = 20;

/**
 * Ranks all that the finished journal files know. A file that cannot be read throws before anything
 * is written, so the last good ranks stay in place.
 */
export function rankPages(options: RankOptions): RankReport {
  const started = performance.now();
  const web = readLinks(options.journal);
  const { ranks, iterations, distance } = pageRank(web.graph, {
    damping: options.damping ?? DEFAULT_DAMPING,
    maxIterations: options.maxIterations ?? DEFAULT_MAX_ITERATIONS,
    tolerance: TOLERANCE,
  });
  const report = {
    generation: writeRanks(options.output, rankedUrls(web, ranks)),
    pageCount: web.crawled.reduce((sum, crawled) => sum + crawled, 0),
    nodeCount: web.graph.nodeCount,
    linkCount: web.graph.inSources.length,
    iterations,
    distance,
    topPages: topPages(web, ranks),
  };
  const { topPages: _, ...fields } = report;
  options.log.info('pages ranked', { ...fields, ms: Math.round(performance.now() - started) });
  return report;
}

function readLinks(journal: Directory): WebGraph {
  const collector = new LinkCollector();
  for (const file of journalFiles(journal)) {
    for (const record of readJournal(journal, file)) collector.add(record);
  }
  return collector.finish();
}

function rankedUrls(web: WebGraph, ranks: Float64Array): RankedUrl[] {
  const nodes = web.urls.map((url, node) => ({ url, rank: ranks[node]! }));
  return nodes.concat(web.aliases.map(({ url, node }) => ({ url, rank: ranks[node]! })));
}

/** Ties go to the page that comes first in the order of nodes. */
function topPages(web: WebGraph, ranks: Float64Array): RankedUrl[] {
  const worstFirst = (a: number, b: number) => (ranks[a] === ranks[b] ? a > b : ranks[a]! < ranks[b]!);
  const heap = new Heap<number>(worstFirst);
  for (let node = 0; node < web.graph.nodeCount; node++) {
    if (web.crawled[node] === 0) continue;
    if (heap.size < TOP_PAGES) heap.push(node);
    else if (worstFirst(heap.peek()!, node)) heap.replaceTop(node);
  }
  const top: RankedUrl[] = [];
  for (let node = heap.pop(); node !== undefined; node = heap.pop()) {
    top.push({ url: web.urls[node]!, rank: ranks[node]! });
  }
  return top.reverse();
}
