/** The functions that pages and feeds of standing queries need. `cli/` implements it with the store of the data directory. */

export interface FeedPage {
  /** A UUID, which is the same in every feed, digest and webhook message. */
  id: string;
  change: 'new' | 'changed';
  url: string;
  title: string;
  snippet: string;
  fetchedAt: number;
  foundAt: number;
}

/** A standing query and its last pages, the newest first. */
export interface StandingFeed {
  name: string;
  query: string;
  createdAt: number;
  pages: readonly FeedPage[];
}

/** A standing query as operators see it. */
export interface ListedQuery {
  name: string;
  query: string;
  newOnly: boolean;
  isSearchers: boolean;
  createdAt: number;
  /** The path of its Atom feed. */
  atom: string;
  /** The path of its JSON feed. */
  json: string;
  /** The number of kept pages, and the time of the last one; 0 if there is none. */
  pages: number;
  lastAt: number;
  /** The state of its webhook; null if it has none. */
  webhook: ListedWebhook | null;
}

interface ListedWebhook {
  url: string;
  waiting: number;
  parked: number;
  /** The last problem; null if the last message was delivered, or none was sent. */
  problem: string | null;
  /** The reason why it is no longer called; null if it is. */
  stopped: string | null;
}

export interface QueryForm {
  name: string;
  query: string;
  newOnly: boolean;
  /** The address of a webhook; empty for none. */
  webhook: string;
  /** The secret of the webhook; empty to make one. */
  secret: string;
}

export interface StandingTools {
  /** True if searchers may save queries. */
  isOpen: boolean;
  /** Returns the feed with this secret in its address; null if there is none. */
  readFeed(secret: string): StandingFeed | null;
  /** Saves a searcher's query, and returns the secret of its page. Throws a UsageError if it cannot be saved. */
  saveOwn(query: string): string;
  /** Returns a searcher's query, with the secret of its feeds. */
  readOwn(secret: string): (StandingFeed & { feed: string }) | null;
  removeOwn(secret: string): void;
  list(): ListedQuery[];
  /** Saves an operator's query, and returns the secret of its webhook; null if it has no webhook. */
  add(form: QueryForm, who: string): string | null;
  remove(name: string, who: string): void;
  /** Sends a test message. Returns what was wrong; null if it was accepted. */
  test(name: string, who: string): Promise<string | null>;
  /** Sends parked messages again; returns their number. */
  resume(name: string, who: string): number;
}
