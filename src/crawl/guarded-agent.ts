/**
 * The connections of the crawl: one to a host at a time, kept alive, and never to an address that the guard
 * refuses. The guard is asked three times, because each place sees what the others cannot: an address in the
 * URL never reaches name resolution, name resolution sees every address of a name, and only the socket knows
 * where it ended up.
 *
 * Behind a proxy it is the proxy that resolves names and connects: there the guard sees addresses in URLs and
 * the name `localhost`, and everything else is for the proxy to refuse. The proxy's own address is the
 * operator's choice and needs no leave.
 */
import { isIP } from 'node:net';
import { rootCertificates } from 'node:tls';
import { Agent, buildConnector, type Dispatcher, ProxyAgent } from 'undici';
import { type AddressGuard, AddressRefusedError } from './address-guard.ts';
import { isLocalhost, type Resolver } from './resolver.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const MAX_HEADER_BYTES = 64 * 1024;

export interface AgentOptions {
  guard: AddressGuard;
  resolver: Resolver;
  timeLimitMs: number;
  /** `http://user:password@proxy:3128`, also https and socks5; absent without one. */
  proxy?: string;
  /** Certificate authorities to trust besides the usual ones, in PEM. */
  authorities?: readonly string[];
}

export class GuardedAgent {
  readonly #options: AgentOptions;
  readonly #dispatcher: Dispatcher;
  readonly #addresses = new Map<string, string>();

  constructor(options: AgentOptions) {
    this.#options = options;
    const { timeLimitMs, proxy } = options;
    const common = {
      connections: 1,
      pipelining: 1,
      allowH2: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: timeLimitMs,
      bodyTimeout: timeLimitMs,
      strictContentLength: false,
    };
    this.#dispatcher = proxy
      ? new ProxyAgent({ ...common, uri: proxy, proxyTunnel: true, requestTls: this.#trust() })
      : new Agent({ ...common, connect: this.#guardedConnector() });
    this.#dispatcher.on('disconnect', (origin) => this.#addresses.delete(String(origin).replace(/\/$/, '')));
  }

  /** The address that the host's connection goes to; empty when there is none, or a proxy between. */
  addressOf(origin: string): string {
    return this.#addresses.get(origin) ?? '';
  }

  /** Throws an AddressRefusedError for what can be told from the address alone. */
  dispatch(
    options: Dispatcher.DispatchOptions & { origin: string },
    handler: Dispatcher.DispatchHandler,
  ): void {
    if (this.#options.proxy) this.#refuseByName(new URL(options.origin).hostname);
    this.#dispatcher.dispatch(options, handler);
  }

  async close(): Promise<void> {
    await this.#dispatcher.destroy();
  }

  #refuseByName(hostname: string): void {
    const literal = isLocalhost(hostname) ? '127.0.0.1' : withoutBrackets(hostname);
    if (isIP(literal) !== 0 && !this.#options.guard.allows(literal)) throw new AddressRefusedError(literal);
  }

  #trust(): { ca?: string[] } {
    const { authorities = [] } = this.#options;
    return authorities.length === 0 ? {} : { ca: [...rootCertificates, ...authorities] };
  }

  #guardedConnector(): buildConnector.connector {
    const { guard, resolver, timeLimitMs } = this.#options;
    const connect = buildConnector({
      lookup: resolver.lookup as never,
      timeout: Math.min(timeLimitMs, CONNECT_TIMEOUT_MS),
      allowH2: false,
      ...this.#trust(),
    });
    return (options, callback) => {
      // An address in the URL never reaches `lookup`: it is checked here, before any packet is sent.
      const literal = withoutBrackets(options.hostname);
      if (isIP(literal) !== 0 && !guard.allows(literal)) {
        return callback(new AddressRefusedError(literal), null);
      }
      connect(options, (...result) => {
        const [error, socket] = result;
        if (error) return callback(error, null);
        const address = socket.remoteAddress;
        if (address === undefined) return callback(new Error('closed as soon as it was open'), null);
        if (!guard.allows(address)) {
          socket.destroy();
          return callback(new AddressRefusedError(address), null);
        }
        const port = options.port ? `:${options.port}` : '';
        this.#addresses.set(`${options.protocol}//${options.hostname}${port}`, address);
        callback(null, socket);
      });
    };
  }
}

function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}
