/** What `gyre serve` and `gyre up` share: a searcher that follows the index, and the server before it. */
import { type Log, messageOf, systemClock } from '../base/mod.ts';
import { openSearcher } from '../query/mod.ts';
import { createServer, listen, type ServeStatus } from '../serve/mod.ts';
import type { Config } from './config.ts';
import type { DataDirectory } from './data-directory.ts';
import { GraphLookup } from './graph-lookup.ts';
import { chooseProfile } from './profile-choice.ts';
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
  options: { contact: string; log: Log; status: () => ServeStatus | null },
): Promise<Serving> {
  const { log } = options;
  const clock = systemClock;
  const links = new GraphLookup(data.graph, log);
  const searcher = openSearcher(data.index, {
    log,
    clock,
    timeLimitMs: config.serve.timeLimit,
    answerBytes: config.serve.answerCache,
    links: () => links,
    profile: chooseProfile(data.root, undefined),
  });
  const server = createServer({ ...options, searcher, clock, version: VERSION });
  const address = await listen(server, config.serve);
  const refresh = () => {
    try {
      if (searcher.refresh()) links.refresh();
    } catch (error) {
      log.error('index not refreshed', { reason: messageOf(error) });
    }
  };
  const timer = setInterval(refresh, REFRESH_MS);
  const close = async () => {
    clearInterval(timer);
    await server.close();
    searcher.close();
    links.close();
  };
  return { address, refresh, close };
}
