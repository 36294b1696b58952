/** Reads every file of the link graph and reports the damaged ones. Changes nothing. */
import { type Directory, GyreError, messageOf } from '../base/mod.ts';
import { anchorsName, openAnchors } from './anchors/mod.ts';
import { hostsName, openHosts } from './hosts/mod.ts';
import { NodeUrls, nodeUrlsName } from './node-urls.ts';
import { graphName, hostGraphName, ranksGenerations, ranksName } from './ranks-format.ts';
import { openRanks } from './ranks-reader.ts';
import { parseRunName, RunFile } from './runs/mod.ts';
import { GraphFile } from './tiles/mod.ts';

interface GraphProblem {
  file: string;
  problem: string;
}

interface GraphCheck {
  files: number;
  problems: GraphProblem[];
}

export function checkGraph(directory: Directory): GraphCheck {
  const check: GraphCheck = { files: 0, problems: [] };
  const note = (file: string, read: () => void) => {
    if (!directory.has(file)) {
      check.problems.push({ file, problem: 'expected a file, got none' });
      return;
    }
    check.files++;
    try {
      read();
    } catch (error) {
      // Every error of Gyre counts as damage. This includes "newer version", because a flipped byte in the
      // version number causes it.
      if (!(error instanceof GyreError)) throw error;
      check.problems.push({ file, problem: messageOf(error) });
    }
  };
  for (const run of directory.list().map(parseRunName)) {
    if (run) note(run.name, () => readRun(new RunFile(directory, run)));
  }
  const generation = ranksGenerations(directory).at(-1);
  if (generation === undefined) return check;
  note(ranksName(generation), () => openRanks(directory));
  note(hostsName(generation), () => [...(openHosts(directory)?.entries() ?? [])]);
  note(nodeUrlsName(generation), () => {
    const urls = new NodeUrls(directory, nodeUrlsName(generation));
    closing(urls, () => walk(urls));
  });
  note(anchorsName(generation), () => {
    const anchors = openAnchors(directory)!;
    closing(anchors, () => walk(anchors.entries()));
  });
  for (const name of [graphName(generation), hostGraphName(generation)]) {
    note(name, () => {
      const graph = new GraphFile(directory, name);
      closing(graph, () => graph.readWords(new Uint32Array(graph.shape.edgeCount)));
    });
  }
  return check;
}

function readRun(run: RunFile): void {
  closing(run, () => {
    walk(run.urls());
    walk(run.records(true));
  });
}

function walk(items: Iterable<unknown>): void {
  Iterator.from(items).forEach(() => {});
}

function closing(file: { close(): void }, use: () => void): void {
  try {
    use();
  } finally {
    file.close();
  }
}
