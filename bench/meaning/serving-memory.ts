/** Measures the memory of `gyre serve` after the same queries, with search by meaning and without. */
import type { BenchRow } from '../report.ts';
import { EngineServer } from '../realweb/engine.ts';

/** A query is sent this many times, so that every search thread has answered it. */
const REPETITIONS = 4;

export async function servingRows(data: string, queries: readonly string[]): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const [name, model] of [
    ['gyre serve, meaning off', 'off'],
    ['gyre serve, meaning on', ''],
  ] as const) {
    const server = await EngineServer.start({ data }, { GYRE_MEANING_MODEL: model });
    try {
      for (const query of queries)
        await Promise.all(Array.from({ length: REPETITIONS }, () => server.search(query)));
      rows.push({ name, memoryMB: await server.memoryMB() });
    } finally {
      await server.stop();
    }
  }
  return rows;
}
