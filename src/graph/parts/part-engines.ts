/**
 * The parts of the graph that a worker ranks. A worker keeps its parts in memory from one iteration to the
 * next. If they do not fit, the least recently used part is dropped, and later read again from the local copy
 * of its file.
 */
import { type PageRankOptions, RankEngine } from '../pagerank/mod.ts';
import { GraphFile } from '../tiles/mod.ts';
import type { TaskContext } from './task-context.ts';

export class LoadedPart {
  readonly engine: RankEngine;
  readonly #graph: GraphFile;
  /** The number of iterations after which the engine has its present ranks. */
  step = 0;

  constructor(graph: GraphFile, options: PageRankOptions, totalNodes: number) {
    this.#graph = graph;
    this.engine = new RankEngine(graph, options, totalNodes);
  }

  close(): void {
    this.engine.close();
    this.#graph.close();
  }
}

export class PartEngines {
  /** The loaded parts by number. The part that was used last is at the end. */
  readonly #loaded = new Map<number, LoadedPart>();

  async load(context: TaskContext, part: number, totalNodes: number): Promise<LoadedPart> {
    const known = this.#loaded.get(part);
    this.#loaded.delete(part);
    const loaded = known ?? (await this.#open(context, part, totalNodes));
    this.#loaded.set(part, loaded);
    this.#dropOldest(context.options.tileBytes ?? Number.POSITIVE_INFINITY);
    return loaded;
  }

  clear(): void {
    for (const loaded of this.#loaded.values()) loaded.close();
    this.#loaded.clear();
  }

  async #open(context: TaskContext, part: number, totalNodes: number): Promise<LoadedPart> {
    const { damping, tileBytes } = context.options;
    const graph = new GraphFile(context.scratch, await context.file('tiles', part, 'graph'));
    const options = {
      ...(damping !== undefined && { damping }),
      ...(tileBytes !== undefined && { edgeBytes: tileBytes }),
    };
    return new LoadedPart(graph, options, totalNodes);
  }

  #dropOldest(tileBytes: number): void {
    let bytes = this.#loaded.values().reduce((sum, { engine }) => sum + engine.edgeBytes, 0);
    for (const [part, loaded] of this.#loaded) {
      if (bytes <= tileBytes || this.#loaded.size === 1) return;
      bytes -= loaded.engine.edgeBytes;
      loaded.close();
      this.#loaded.delete(part);
    }
  }
}
