/**
 * Sends one request and returns one outcome. Whatever a server does, `fetch` resolves within the time limit and holds
 * no more than the size limit; it never throws because of a server.
 *
 * Three tasks belong to other modules. The parser decodes content codings. The frontier retries and waits. Redirects
 * are handled like links, so that every hop passes through the same URL rules, robots.txt and politeness.
 */
import { type Clock, sleep } from '../../base/mod.ts';
import { type CanonicalUrl, type HostAccess, originOf, pathOf } from '../../url/mod.ts';
import { Exchange, type FetchOutcome, NOT_SENT, type Wanted } from './exchange.ts';
import { type AgentOptions, GuardedAgent } from './guarded-agent.ts';

export type { FetchOutcome, Response } from './exchange.ts';

/** The content codings that `decodeBody` can decode. */
const ACCEPT_ENCODING = 'gzip, deflate, br, zstd';
/** Text that the archive has in place of secret header values, such as passwords. */
const WITHHELD = '(withheld)';

/** Interval at which a waiting request checks whether it may be sent. */
const PERMISSION_MS = 50;

export interface FetcherOptions extends AgentOptions {
  userAgent: string;
  clock: Clock;
  /** Size limit of a body before content codings are decoded. */
  maxBodyBytes: number;
  /** Returns false while no request may be sent. Requests wait until it returns true. By default they never wait. */
  mayFetch?: () => boolean;
  /** Credentials and additional headers by host; none by default. */
  access?: HostAccess;
}

interface RequestOptions {
  /** Truncates a body that is longer than this, instead of rejecting the response. */
  cutBytes?: number;
  /** Size limit of the body for this request; by default the limit of the fetcher. */
  maxBodyBytes?: number;
  /** Additional headers of this request. They replace default headers of the same name. */
  headers?: Readonly<Record<string, string>>;
  /** The body of a POST request; a request without a body is a GET request. */
  body?: Buffer;
}

type Headers = Readonly<Record<string, string>>;

export class Fetcher {
  readonly #options: FetcherOptions;
  readonly #agent: GuardedAgent;
  #isClosed = false;

  constructor(options: FetcherOptions) {
    this.#options = options;
    this.#agent = new GuardedAgent(options);
  }

  async fetch(url: CanonicalUrl, wanted: Wanted, options: RequestOptions = {}): Promise<FetchOutcome> {
    const { mayFetch } = this.#options;
    if (!mayFetch) return this.#send(url, wanted, options);
    for (;;) {
      while (!mayFetch() && !this.#isClosed) await sleep(PERMISSION_MS);
      const outcome = await this.#send(url, wanted, options);
      if (outcome !== NOT_SENT || this.#isClosed) return outcome;
    }
  }

  #send(
    url: CanonicalUrl,
    wanted: Wanted,
    { headers: added = {}, body, ...limits }: RequestOptions,
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
          outcome.requestHead = requestHead(body ? 'POST' : 'GET', url, { ...open, ...withheld(secret) });
          outcome.ipAddress = this.#agent.addressOf(origin);
        }
        resolve(outcome);
      });
      try {
        const sent = body ? { method: 'POST' as const, body } : { method: 'GET' as const };
        this.#agent.dispatch({ origin, path: pathOf(url), ...sent, headers }, exchange);
      } catch (error) {
        exchange.onResponseError(null, error as Error);
      }
    });
  }

  /**
   * Resolves the IP address of a host. Returns an empty string if a proxy resolves names, or if the host cannot be
   * resolved.
   */
  async locate(origin: string): Promise<string> {
    const { proxy, resolver } = this.#options;
    return proxy ? '' : resolver.addressOf(new URL(origin).hostname);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#agent.close();
  }
}

function withheld(secret: Headers): Headers {
  return Object.fromEntries(Object.keys(secret).map((name) => [name, WITHHELD]));
}

function requestHead(method: string, url: CanonicalUrl, headers: Headers): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [
    `${method} ${pathOf(url)} HTTP/1.1`,
    `host: ${originOf(url).replace(/^\w+:\/\//, '')}`,
    ...lines,
  ].join('\r\n');
}
