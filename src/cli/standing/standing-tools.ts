/** Implements the pages and feeds of standing queries with the store of the data directory. */
import { randomUUID } from 'node:crypto';
import { type Log, systemClock, UsageError } from '../../base/mod.ts';
import type { FeedPage, ListedQuery, QueryForm, StandingFeed, StandingTools } from '../../serve/mod.ts';
import {
  checkNew,
  type NewStandingQuery,
  newSecret,
  type StandingQuery,
  StandingStore,
  sendTest,
  withStore,
} from '../../standing/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import { appendAudit } from '../access/mod.ts';
import type { DataDirectory } from '../data-directory.ts';
import { LiveRemovals } from '../removals/mod.ts';
import type { Config } from '../settings/mod.ts';
import { indexedPosition, sendOptions } from './standing-work.ts';

/** The number of pages in a feed. */
const LISTED = 100;

export function standingTools(data: DataDirectory, config: Config, log: Log): StandingTools {
  const { root } = data;
  const removals = new LiveRemovals(root);
  const now = () => systemClock.now();
  const feedOf = (store: StandingStore, { id, name, query, createdAt }: StandingQuery): StandingFeed => {
    const pages = store.newest(id, LISTED).filter(({ url }) => !removals.urls.matches(url as CanonicalUrl));
    return { name, query, createdAt, pages: pages satisfies readonly FeedPage[] };
  };
  const audit = (who: string, action: string, target: string) =>
    appendAudit(root, { who, action, target }, now());
  return {
    isOpen: config.standing.searchers === 'on',
    readFeed: (secret) =>
      withStore(root, (store) => {
        const query = store.readFeed(secret, now());
        return query && feedOf(store, query);
      }),
    saveOwn(query) {
      const name = `search-${randomUUID().slice(0, 13)}`;
      const saved = { name, query, newOnly: false, webhook: null };
      return saveQuery(data, saved, config.standing.maxSearches).own!;
    },
    readOwn: (secret) =>
      withStore(root, (store) => {
        const query = store.findOwn(secret);
        return query && { ...feedOf(store, query), feed: query.feed };
      }),
    removeOwn: (secret) =>
      void withStore(root, (store) => {
        const query = store.findOwn(secret);
        if (query) store.remove(query.name);
      }),
    list: () => listQueries(data),
    add(form, who) {
      const { name, webhook } = saveQuery(data, queryOfForm(form), null);
      audit(who, 'standing-add', name);
      return webhook?.secret ?? null;
    },
    remove(name, who) {
      inStore(data, (store) => store.remove(name));
      audit(who, 'standing-remove', name);
    },
    async test(name, who) {
      const problem = await testWebhook(data, config, log, name);
      audit(who, 'standing-test', name);
      return problem;
    },
    resume(name, who) {
      const count = inStore(data, (store) => store.resumeWebhook(store.find(name).id, now()));
      audit(who, 'standing-retry', name);
      return count;
    },
  };
}

/** Saves a query. `limit` is the maximum number of queries of searchers; null for a query of an operator. */
export function saveQuery(data: DataDirectory, saved: NewStandingQuery, limit: number | null) {
  const checked = checkNew(saved);
  const store = new StandingStore(data.root);
  try {
    return store.add(checked, { indexed: () => indexedPosition(data), now: systemClock.now(), limit });
  } finally {
    store.close();
  }
}

/** Reads a form; makes a secret for a webhook without one. */
function queryOfForm({ name, query, newOnly, webhook, secret }: QueryForm): NewStandingQuery {
  const hook = webhook.trim() === '' ? null : { url: webhook, secret: secret === '' ? newSecret() : secret };
  return { name: name.trim(), query, newOnly, webhook: hook };
}

export function listQueries({ root }: DataDirectory): ListedQuery[] {
  return withStore(root, (store) => store.list().map((query) => listed(store, query))) ?? [];
}

function listed(store: StandingStore, query: StandingQuery): ListedQuery {
  const { id, name, newOnly, isSearchers, createdAt, feed, webhook, stopped } = query;
  const { waiting, parked, problem } = store.deliveries.countsOf(id);
  return {
    ...{ name, query: query.query, newOnly, isSearchers, createdAt },
    atom: `/standing/${feed}.atom`,
    json: `/standing/${feed}.json`,
    ...store.countOf(id),
    webhook: webhook && { url: webhook.url, waiting, parked, problem, stopped },
  };
}

/** Sends a test message to the webhook of a query. Returns what was wrong; null if it was accepted. */
export async function testWebhook(
  data: DataDirectory,
  config: Config,
  log: Log,
  name: string,
): Promise<string | null> {
  const query = inStore(data, (store) => store.find(name));
  if (!query.webhook) throw new UsageError('no-webhook', `the standing query ${name} has no webhook`);
  const { problem } = await sendTest(query, sendOptions(data, { config, log }));
  return problem;
}

/** Calls `use` with the store. Throws a UsageError if there never was a query. */
export function inStore<Result>({ root }: DataDirectory, use: (store: StandingStore) => Result): Result {
  let result: { value: Result } | null = null;
  withStore(root, (store) => {
    result = { value: use(store) };
  });
  if (result !== null) return (result as { value: Result }).value;
  throw new UsageError('no-query', 'there is no standing query: gyre standing add NAME QUERY saves one');
}
