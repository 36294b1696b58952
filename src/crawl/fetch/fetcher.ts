/**
 * Sends one request and returns one outcome. Whatever a server does, `fetch` resolves within the time limit
 * and holds no more than the size limit; it never throws because of a server.
 *
 * Does not undo content codings; the parser does. Does not follow redirects: a redirect is a link, and every
 * hop passes through the same rules, robots.txt and politeness as any link. Does not retry or wait; the
 * frontier does.
 */
import type { Clock } from '../../base/mod.ts';
import { type CanonicalUrl, type HostAccess, originOf, pathOf } from '../../url/mod.ts';
import { Exchange, type FetchOutcome, type Wanted } from './exchange.ts';
import { type AgentOptions, GuardedAgent } from './guarded-agent.ts';

export type { FetchOutcome, Response } from './exchange.ts';

/** The content codings that `decodeBody` can undo. */
const ACCEPT_ENCODING = 'gzip, deflate, br, zstd';
/** Replaces the values of secret headers in the archive. */
const WITHHELD = '(withheld)';

export interface FetcherOptions extends AgentOptions {
  userAgent: string;
  clock: Clock;
  /** Size limit of a body as received. */
  maxBodyBytes: number;
  /** Credentials and headers for some hosts; none by default. */
  access?: HostAccess;
}

interface RequestOptions {
  /** A longer body is truncated to this size instead of rejected. */
  cutBytes?: number;
  /** Overrides the fetcher's limit for the body. */
  maxBodyBytes?: number;
  /** Added to the default headers; they replace defaults of the same name. */
  headers?: Readonly<Record<string, string>>;
}

type Headers = Readonly<Record<string, string>>;

export class Fetcher {
  readonly #options: FetcherOptions;
  readonly #agent: GuardedAgent;

  constructor(options: FetcherOptions) {
    this.#options = options;
    this.#agent = new GuardedAgent(options);
  }

  fetch(
    url: CanonicalUrl,
    wanted: Wanted,
    { headers: added = {}, ...limits }: RequestOptions = {},
  ): Promise<FetchOutcome> {
    const origin = originOf(url);
    const open: Headers = {
      'user-agent': this.#options.userAgent,
      accept: 'text/html,application/xhtml+xml,text/plain;q=0.9,*/*;q=0.5',
      'accept-encoding': ACCEPT_ENCODING,
      ...added,
    };
    const secret = this.#options.access?.headersFor(origin) ?? {};
    const headers = { ...open, ...secret };
    return new Promise((resolve) => {
      const bounds = { ...this.#options, cutBytes: Number.POSITIVE_INFINITY, ...limits };
      const exchange = new Exchange({ ...bounds, wanted }, (outcome) => {
        this.#agent.settled(origin);
        if (outcome.kind === 'response') {
          outcome.requestHead = requestHead(url, { ...open, ...withheld(secret) });
          outcome.ipAddress = this.#agent.addressOf(origin);
        }
        resolve(outcome);
      });
      try {
        this.#agent.dispatch({ origin, path: pathOf(url), method: 'GET', headers }, exchange);
      } catch (error) {
        exchange.onResponseError(null, error as Error);
      }
    });
  }

  /** Returns the IP address of the host; empty if a proxy resolves it, or if it cannot be resolved. */
  async locate(origin: string): Promise<string> {
    const { proxy, resolver } = this.#options;
    return proxy ? '' : resolver.addressOf(new URL(origin).hostname);
  }

  async close(): Promise<void> {
    await this.#agent.close();
  }
}

function withheld(secret: Headers): Headers {
  return Object.fromEntries(Object.keys(secret).map((name) => [name, WITHHELD]));
}

function requestHead(url: CanonicalUrl, headers: Headers): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`GET ${pathOf(url)} HTTP/1.1`, `host: ${originOf(url).replace(/^\w+:\/\//, '')}`, ...lines].join(
    '\r\n',
  );
}
