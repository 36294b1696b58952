/**
 * node bench/cluster/ranks-main.ts — measures the iterations of a ranking in parts by 1, 2 and 4 workers, on a graph that is
 * larger than the memory of one worker, and on the same graph with enough memory (ranks.ts).
 *
 *   --edges N       edges of the graph (50,000,000)
 *   --iterations N  iterations (8)
 *   --json          one JSON object as the last line
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openDirectory } from '../../src/base/mod.ts';
import { writeWebLike } from '../pagerank/graphs.ts';
import { type BenchRow, report } from '../report.ts';
import { measureRanks } from './ranks.ts';

const { values } = parseArgs({
  options: {
    edges: { type: 'string', default: '50000000' },
    iterations: { type: 'string', default: '8' },
    json: { type: 'boolean', default: false },
  },
});

const scratch = mkdtempSync(join(tmpdir(), 'gyre-bench-'));
try {
  const edges = writeWebLike(join(scratch, 'edges'), Number(values.edges));
  const build = join(import.meta.dirname, '../pagerank/ours-main.ts');
  const flags = ['--disable-warning=ExperimentalWarning'];
  const built = JSON.parse(
    execFileSync(process.execPath, [
      ...flags,
      build,
      'build',
      edges.path,
      String(edges.nodeCount),
      scratch,
      '1',
    ]).toString(),
  ) as { edgeCount: number };
  rmSync(edges.path);
  const rows: BenchRow[] = [];
  const ratios: Record<string, number> = {};
  // Four workers hold the tiles, and one or two do not.
  for (const [memory, tileBytes] of [
    ['a third', (built.edgeCount * 4) / 3],
    ['all', built.edgeCount * 8],
  ] as const) {
    let alone = 0;
    for (const workers of [1, 2, 4]) {
      const bench = {
        ...{ directory: openDirectory(scratch), graph: 'bench.graph', tileBytes },
        iterations: Number(values.iterations),
      };
      const row = {
        ...(await measureRanks(bench, workers)),
        edges: built.edgeCount,
        'tiles in memory': memory,
      };
      const critical = Number(row['critical path ms' as keyof typeof row]);
      if (workers === 1) alone = critical;
      else ratios[`${workers} workers, ${memory} in memory: times as fast as one`] = alone / critical;
      rows.push(row);
    }
  }
  report(rows, ratios, values.json);
} finally {
  rmSync(scratch, { recursive: true });
}
