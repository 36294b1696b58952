/** What `gyre serve` and `gyre up` share: a searcher that follows the index, and the server before it. */
import { randomBytes } from 'node:crypto';
import { ArchiveReader } from '../archive/mod.ts';
import { type Directory, type Log, messageOf, systemClock } from '../base/mod.ts';
import { openSearcher } from '../query/mod.ts';
import { archivedPages, createServer, listen, type ServeStatus } from '../serve/mod.ts';
import type { Config } from './config.ts';
import type { DataDirectory } from './data-directory.ts';
import { VERSION } from './version.ts';

const REFRESH_MS = 500;
const SECRET_FILE = 'cookie.key';

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
  const searcher = openSearcher(data.index, { log, clock, timeLimitMs: config.serve.timeLimit });
  const archive = new ArchiveReader(data.archive);
  const server = createServer({
    ...options,
    searcher,
    clock,
    version: VERSION,
    ...(data.root.has('archive') && { archive: archivedPages(archive) }),
    siteRules: config.serve.siteRules,
    secret: cookieSecret(data.root, log),
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
    archive.close();
  };
  return { address, refresh, close };
}

/** Kept with the data, so that searchers keep their preferences; where nothing can be written, until the server ends. */
function cookieSecret(root: Directory, log: Log): string {
  if (root.has(SECRET_FILE)) return root.read(SECRET_FILE).toString().trim();
  const secret = randomBytes(32).toString('base64url');
  try {
    root.replace(SECRET_FILE, Buffer.from(`${secret}\n`));
  } catch (error) {
    log.warn('preferences last until the server ends', { reason: messageOf(error) });
  }
  return secret;
}
