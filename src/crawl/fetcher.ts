/**
 * One request, one outcome. Whatever a server does, `fetch` resolves within the time limit and
 * holds no more than the size limit; it never throws for what the web does.
 *
 * Does not undo content codings: whoever reads the body does.
 * Does not follow redirects: a redirect is a link, and every hop passes through the same rules,
 * robots and politeness as any link. Does not retry or wait either; the frontier does.
 */
import type { Clock } from '../base/mod.ts';
import { type CanonicalUrl, originOf, pathOf } from '../url/mod.ts';
import { Exchange, type FetchOutcome, type Wanted } from './exchange.ts';
import { type AgentOptions, GuardedAgent } from './guarded-agent.ts';
import type { HostAccess } from './host-access.ts';

export type { FetchOutcome, Response } from './exchange.ts';

/** What we ask servers for: all that `decodeBody` can undo. */
const ACCEPT_ENCODING = 'gzip, deflate, br, zstd';
/** Stands in the archive where something was sent that is nobody else's business. */
const WITHHELD = '(withheld)';

export interface FetcherOptions extends AgentOptions {
  userAgent: string;
  clock: Clock;
  /** For a body as it is received. */
  maxBodyBytes: number;
  /** What some hosts want to be told; nothing by default. */
  access?: HostAccess;
}

export interface RequestOptions {
  /** A longer body is cut there instead of refused. */
  cutBytes?: number;
  /** A limit of its own for the body. */
  maxBodyBytes?: number;
  /** Sent besides those that every request has, or in place of them. */
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

  /** The address that the host is found at; empty when it is for the proxy to find, or cannot be. */
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
