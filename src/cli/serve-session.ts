/** What `gyre serve` and `gyre up` share: a searcher that follows the index, and the server before it. */
import { randomBytes } from 'node:crypto';
import { ArchiveReader } from '../archive/mod.ts';
import { type Directory, type Log, messageOf, systemClock } from '../base/mod.ts';
import { AssistedSearcher, PopularQueries, type RefreshingSearcher } from '../query/mod.ts';
import {
  archivedPages,
  type CrawlControl,
  createServer,
  isLoopbackName,
  listen,
  type ServeStatus,
} from '../serve/mod.ts';
import { openAnswers } from './answers.ts';
import type { Config } from './config.ts';
import type { DataDirectory } from './data-directory.ts';
import { openLocalSearching } from './local-searching.ts';
import { SiteIcons } from './site-icons.ts';
import { SearchPool } from './threads/search-pool.ts';
import { VERSION } from './version.ts';

const REFRESH_MS = 500;
const SAVE_MS = 60_000;
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
  options: { contact: string; log: Log; status: () => ServeStatus | null; control: CrawlControl },
): Promise<Serving> {
  const { log } = options;
  const clock = systemClock;
  const popular = config.suggest.queries === 'on' ? new PopularQueries(data.words, log) : null;
  const { inner, ended } = await openSearching(data, config, log);
  const searcher = new AssistedSearcher(inner, data.words, log, popular);
  const answers = openAnswers(data, config, { ...options, searcher });
  const { answerer, details } = answers;
  const archive = new ArchiveReader(data.archive);
  const icons = new SiteIcons(data, log);
  const { adminToken, siteRules } = config.serve;
  const server = createServer({
    ...options,
    adminToken,
    searcher,
    clock,
    version: VERSION,
    answerer,
    ...(details && { details }),
    limits: config.serve,
    publicUrl: config.serve.publicUrl,
    isLocal: isLoopbackName(config.serve.host) && config.serve.proxies.length === 0,
    pageCacheBytes: Math.floor(config.serve.answerCache / 2),
    ...(data.root.has('archive') && { archive: archivedPages(archive) }),
    iconOf: (origin) => icons.iconOf(origin),
    siteRules,
    secret: cookieSecret(data.root, log),
  });
  const closeAll = async () => {
    await server.close();
    searcher.close();
    answers.close();
    archive.close();
    icons.close();
    await ended();
  };
  const address = await listen(server, config.serve).catch(async (error) => {
    await closeAll();
    throw error;
  });
  let trouble = '';
  const refresh = () => {
    try {
      searcher.refresh();
      trouble = '';
    } catch (error) {
      const reason = messageOf(error);
      if (reason !== trouble) log.error('index not refreshed', { reason });
      trouble = reason;
    }
  };
  const timer = setInterval(refresh, REFRESH_MS);
  const save = () => {
    try {
      popular?.save();
    } catch (error) {
      log.error('popular queries not saved', { reason: messageOf(error) });
    }
  };
  const saving = setInterval(save, SAVE_MS);
  const close = async () => {
    clearInterval(timer);
    clearInterval(saving);
    save();
    await closeAll();
  };
  return { address, refresh, close };
}

/**
 * In threads of its own, unless the configuration wants none; `ended` waits for these. A process that ends while
 * a thread of it does may never come to its end: each waits for what the other is still to compile.
 */
async function openSearching(
  data: DataDirectory,
  config: Config,
  log: Log,
): Promise<{ inner: RefreshingSearcher; ended(): Promise<void> }> {
  const { threads, cache: cacheBytes, answerCache } = config.serve;
  const answerBytes = Math.floor(answerCache / 2);
  if (threads === 0) {
    const inner = openLocalSearching(data, config, log, { cacheBytes, answerBytes });
    return { inner, ended: () => Promise.resolve() };
  }
  const pool = new SearchPool(config, log);
  try {
    await pool.ready;
    return { inner: pool, ended: () => pool.ended() };
  } catch (error) {
    pool.close();
    await pool.ended();
    throw error;
  }
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
