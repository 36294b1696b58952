/**
 * Opens the HTTP server, and a searcher that switches to each new version of the index, for `gyre serve` and `gyre
 * up`.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Directory, type Log, messageOf, systemClock } from '../../base/mod.ts';
import { embedderOf } from '../../meaning/mod.ts';
import { AssistedSearcher, PopularQueries, type RefreshingSearcher } from '../../query/mod.ts';
import {
  ArchivePool,
  type CrawlControl,
  createServer,
  isLoopbackName,
  listen,
  type ServeStatus,
} from '../../serve/mod.ts';
import { createFirstAccount, type NewPassword, openAccounts } from '../access/mod.ts';
import type { ChangeableConfig } from '../changes/mod.ts';
import { openDashboard, openDesk } from '../dashboard/mod.ts';
import { type DataDirectory, readSettings } from '../data-directory.ts';
import { openChangeFeed } from '../feed/mod.ts';
import { openRelevanceDesk } from '../relevance/mod.ts';
import { LiveRemovals } from '../removals/mod.ts';
import { readingPlanOf } from '../sessions/crawl-session.ts';
import { openLocalSearching } from '../sessions/local-searching.ts';
import { type Config, memoryShareOf, SHARES } from '../settings/mod.ts';
import { siteTools } from '../sites/mod.ts';
import { standingTools, startStanding } from '../standing/mod.ts';
import { adminTools, loadServedModel, type MeaningSources, SearchPool, ShownPages } from '../threads/mod.ts';
import { VERSION } from '../version.ts';
import { openAnswers } from './answers.ts';
import { openBrand } from './brand.ts';
import { withoutRemoved } from './kept-archive.ts';
import { KnownPages } from './page-standing.ts';
import { SiteIcons } from './site-icons.ts';

const REFRESH_MS = 500;
const SAVE_MS = 60_000;
const SECRET_FILE = 'cookie.key';
const OWNER_ONLY = 0o600;

export interface Serving {
  address: string;
  /** The first account, if this start has created it. Its password is shown once. */
  firstAccount: NewPassword | null;
  meaning: MeaningSources;
  /** Makes the searcher use the newest version of the index. */
  refresh(): void;
  close(): Promise<void>;
}

interface ServingOptions {
  contact: string;
  log: Log;
  status: () => ServeStatus | null;
  control: CrawlControl;
  changeable: ChangeableConfig;
  /** True if this process crawls, and so uses changes of the operator at once. */
  isCrawling: boolean;
}

export async function startServing(
  data: DataDirectory,
  config: Config,
  options: ServingOptions,
): Promise<Serving> {
  const { log, contact, changeable } = options;
  const clock = systemClock;
  const brand = openBrand(config);
  const popular = config.suggest.queries === 'on' ? new PopularQueries(data.words, log) : null;
  const { inner, meaning, ended } = await openSearching(data, config, log);
  const searcher = new AssistedSearcher(inner, data, log, popular);
  const heapBytes = memoryShareOf(config.memoryBytes, SHARES.archiveHeap);
  const pool = data.root.has('archive')
    ? new ArchivePool({
        directory: data.archive,
        log,
        clock,
        heapBytes,
        reading: readingPlanOf(config, readSettings(data.root)),
      })
    : null;
  const removals = new LiveRemovals(data.root);
  const archive = pool && withoutRemoved(pool, (url) => removals.urls.matches(url));
  const { answerer, details } = openAnswers(config, archive, { searcher, contact, log });
  const icons = new SiteIcons(data, log);
  const known = new KnownPages(data, log);
  const feed = openChangeFeed(data.root.path);
  const { adminToken, adminOverHttp, cdx, siteRules, familyFilter, elsewhere, images } = config.serve;
  const { publicUrl, answerCacheBytes } = config.serve;
  const firstAccount = await firstAccountOf(data.root, log);
  const tools = adminTools(() => changeable.reload(data.root.path), log);
  const dashboard = openDashboard({ ...options, data, config, tools, popular });
  const relevance = openRelevanceDesk(data.root, () => changeable.reload(data.root.path), popular);
  const server = createServer({
    searcher,
    version: VERSION,
    contact,
    log,
    clock,
    status: options.status,
    control: options.control,
    tools,
    directoryTools: tools,
    sites: siteTools(config, contact, tools),
    standing: standingTools(data, config, log),
    admin: {
      accounts: openAccounts(data.root),
      desk: openDesk(data.root),
      dashboard: dashboard.dashboard,
      relevance: relevance.desk,
    },
    adminToken,
    allowsAdminHttp: adminOverHttp === 'on',
    hasPublicCdx: cdx === 'public',
    answerer,
    ...(details && { details }),
    ...(archive && { archive }),
    feed,
    standingOf: (url) => known.standingOf(url, (each) => removals.urls.matches(each)),
    iconOf: (origin) => icons.iconOf(origin),
    brand,
    siteRules,
    familyFilter,
    showsPictures: images === 'origin',
    elsewhere,
    secret: cookieSecret(data.root, log),
    limits: config.serve,
    publicUrl,
    isLocal: isLocalOnly(config.serve),
    pageCacheBytes: Math.floor(answerCacheBytes / 2),
  });
  const closeAll = async () => {
    await server.close();
    await dashboard.close();
    await relevance.close();
    searcher.close();
    await pool?.close();
    icons.close();
    known.close();
    await feed.close();
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
  const standing = startStanding(data, config, log);
  const close = async () => {
    await standing.end();
    clearInterval(timer);
    clearInterval(saving);
    save();
    await closeAll();
  };
  return { address, firstAccount, meaning, refresh, close };
}

async function firstAccountOf(root: Directory, log: Log): Promise<NewPassword | null> {
  try {
    return await createFirstAccount(root);
  } catch (error) {
    log.warn('first account not saved, sign-in to /admin is impossible', { reason: messageOf(error) });
    return null;
  }
}

/** Returns the line that shows the password of the first account. It is printed once. */
export function describeFirstAccount({ address, firstAccount }: Serving): string {
  if (!firstAccount) return `administration at ${address}/admin`;
  const { name, password } = firstAccount;
  return `administration at ${address}/admin: name ${name}, password ${password} (shown only this time)`;
}

/**
 * Returns true if only this machine can reach the server: it listens on loopback, and no proxy forwards
 * requests.
 */
export function isLocalOnly({ host, proxies }: Config['serve']): boolean {
  return isLoopbackName(host) && proxies.length === 0;
}

interface Searching {
  inner: RefreshingSearcher;
  meaning: MeaningSources;
  ended(): Promise<void>;
}

/**
 * Opens a searcher in threads, or in this thread if the configuration sets no search threads. `ended` waits for
 * the threads. If the process exited at the same time as one of its threads, it could hang, because the two may
 * wait for each other's compiler.
 */
export async function openSearching(data: DataDirectory, config: Config, log: Log): Promise<Searching> {
  const stop = new AbortController();
  const model = loadServedModel(config, log, stop.signal);
  const shown = new ShownPages();
  const meaning = { model, shown };
  const { threads, postingsCacheBytes: cacheBytes, answerCacheBytes: answerCache } = config.serve;
  const answerBytes = Math.floor(answerCache / 2);
  if (threads === 0) {
    const loaded = await model;
    const embedder = loaded && embedderOf(loaded);
    const options = { cacheBytes, answerBytes, embedder: () => embedder };
    const inner = openLocalSearching(data, config, log, options);
    return { inner, meaning, ended: () => Promise.resolve() };
  }
  const pool = new SearchPool(config, log, meaning);
  try {
    await pool.ready;
    const ended = async () => {
      // The loading of the model is aborted, so that closing does not wait for it.
      stop.abort();
      await pool.ended();
    };
    return { inner: pool, meaning, ended };
  } catch (error) {
    stop.abort();
    pool.close();
    await pool.ended();
    throw error;
  }
}

/**
 * Returns the secret that signs cookies. It is stored with the data, so that searchers keep their preferences
 * across restarts. If the directory is not writable, the secret lasts until the server ends. Only the owner
 * may read the file; this is also enforced for files written by earlier releases.
 */
export function cookieSecret(root: Directory, log: Log): string {
  const known = root.has(SECRET_FILE) ? root.read(SECRET_FILE).toString().trim() : '';
  if (known !== '') {
    restrictToOwner(join(root.path, SECRET_FILE), log);
    return known;
  }
  const secret = randomBytes(32).toString('base64url');
  try {
    root.replace(SECRET_FILE, Buffer.from(`${secret}\n`), OWNER_ONLY);
  } catch (error) {
    log.warn('cookie key not saved, preferences end with the server', { reason: messageOf(error) });
  }
  return secret;
}

function restrictToOwner(path: string, log: Log): void {
  if ((statSync(path).mode & 0o077) === 0) return;
  try {
    chmodSync(path, OWNER_ONLY);
  } catch (error) {
    log.warn('cookie key readable by other users', { path, reason: messageOf(error) });
  }
}
