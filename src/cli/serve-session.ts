/** What `gyre serve` and `gyre up` share: a searcher that follows the index, and the server before it. */
import { type Log, messageOf, systemClock } from '../base/mod.ts';
import { openSearcher } from '../query/mod.ts';
import { type CrawlControl, createServer, listen, type ServeStatus } from '../serve/mod.ts';
import { openAnswers } from './answers.ts';
import type { Config } from './config.ts';
import type { DataDirectory } from './data-directory.ts';
import { VERSION } from './version.ts';

const REFRESH_MS = 500;

export interface Serving {
  address: string;
  /** From now on answers come from the index as it is. */
  refresh(): void;
  close(): Promise<void>;
}

export async function startServing(
  data: DataDirectory,
  config: Config,
  options: { contact: string; log: Log; status: () => ServeStatus | null; control: CrawlControl },
): Promise<Serving> {
  const { log } = options;
  const clock = systemClock;
  const searcher = openSearcher(data.index, { log, clock, timeLimitMs: config.serve.timeLimit });
  const answers = openAnswers(data, config, { ...options, searcher });
  const { answerer } = answers;
  const limits = config.serve;
  const server = createServer({
    ...options,
    adminToken: config.serve.adminToken,
    searcher,
    clock,
    version: VERSION,
    answerer,
    limits,
  });
  const address = await listen(server, config.serve);
  const refresh = () => {
    try {
      searcher.refresh();
    } catch (error) {
      log.error('index not refreshed', { reason: messageOf(error) });
    }
  };
  const timer = setInterval(refresh, REFRESH_MS);
  const close = async () => {
    clearInterval(timer);
    await server.close();
    searcher.close();
    answers.close();
  };
  return { address, refresh, close };
}
