/** Entry point of the thread that computes ranks once for `gyre up`; see ranking-beside.ts. */
import { serveChannel } from '../../base/mod.ts';
import { rankPages } from '../../graph/mod.ts';
import { openData } from '../data-directory.ts';
import { stderrLog } from '../output.ts';
import type { RankRequest } from './ranking-beside.ts';

serveChannel<RankRequest, void>({
  handle: async ({ config }) => {
    const { journal, graph } = openData(config.data);
    rankPages({ journal, output: graph, log: stderrLog(config) });
  },
});
