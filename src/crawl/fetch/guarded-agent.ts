/**
 * The connections of the crawl: one per host, kept alive, and never to an address that the guard refuses. The
 * guard checks in three places, because each sees what the others cannot: an IP address in the URL never
 * reaches name resolution, name resolution sees every address of a name, and only the socket knows the
 * address it is connected to.
 *
 * With a proxy, the proxy resolves names and connects. The guard then checks only IP addresses in URLs and
 * the name `localhost`; refusing other addresses is up to the proxy. The proxy's own address is the
 * operator's choice and is not checked.
 *
 * A connection counts the bytes it receives for a request before they are parsed, and calls the request's
 * handler if there are too many. The handler itself only sees whole heads and pieces of the body, while a
 * head, blank lines or chunk extensions may be endless. Connections through a proxy are not counted.
 */
import { isIP, type Socket } from 'node:net';
import { rootCertificates } from 'node:tls';
import { Agent, buildConnector, type Dispatcher, ProxyAgent } from 'undici';
import { type AddressGuard, AddressRefusedError } from './address-guard.ts';
import { HeadScanner } from './head-scanner.ts';
import { isLocalhost, type Resolver } from './resolver.ts';

const CONNECT_TIMEOUT_MS = 10_000;
/** Maximum number of lines in the heads of all interim responses and of the final response together. */
const MAX_HEAD_LINES = 1_000;
/**
 * Maximum size of a head in the HTTP parser, which raises an error for every header beyond it. The value is so high
 * that `maxWireBytes` and MAX_HEAD_LINES always apply first.
 */
const PARSER_HEAD_BYTES = 1024 * 1024;

export interface AgentOptions {
  guard: AddressGuard;
  resolver: Resolver;
  timeLimitMs: number;
  /**
   * URL of a proxy, for example `http://user:password@proxy:3128`, also with https or socks5. Absent if there is no
   * proxy.
   */
  proxy?: string;
  /** Certificate authorities in PEM format that are trusted in addition to the usual ones. */
  authorities?: readonly string[];
}

/** A request handler that limits how many bytes its connection may receive. */
export interface WatchedHandler extends Dispatcher.DispatchHandler {
  /** Maximum number of bytes that the connection may receive after the request was sent. */
  readonly maxWireBytes: number;
  onWireLimit(): void;
}

interface Connection {
  address: string;
  socket: Socket;
  /** Number of bytes that the socket had received when the current request was sent. */
  startBytes: number;
  /** The counter of the lines in the head of the current response. */
  head: HeadScanner;
}

export class GuardedAgent {
  readonly #options: AgentOptions;
  readonly #dispatcher: Dispatcher;
  readonly #connections = new Map<string, Connection>();
  /** For each origin with a request in flight, the handler of the request. */
  readonly #handlers = new Map<string, WatchedHandler>();

  constructor(options: AgentOptions) {
    this.#options = options;
    const { timeLimitMs, proxy } = options;
    const common = {
      connections: 1,
      pipelining: 1,
      allowH2: false,
      maxHeaderSize: PARSER_HEAD_BYTES,
      headersTimeout: timeLimitMs,
      bodyTimeout: timeLimitMs,
      strictContentLength: false,
    };
    this.#dispatcher = proxy
      ? new ProxyAgent({ ...common, uri: proxy, proxyTunnel: true, requestTls: this.#trust() })
      : new Agent({ ...common, connect: this.#guardedConnector() });
    this.#dispatcher.on('disconnect', (origin) =>
      this.#connections.delete(String(origin).replace(/\/$/, '')),
    );
  }

  /** Returns the IP address of the open connection to a host; empty if there is none, or if a proxy is used. */
  addressOf(origin: string): string {
    return this.#connections.get(origin)?.address ?? '';
  }

  /**
   * Sends a request. Throws an AddressRefusedError if the URL contains a refused IP address. An origin may have only
   * one request in flight: the caller must call `settled` before the next.
   */
  dispatch(options: Dispatcher.DispatchOptions & { origin: string }, handler: WatchedHandler): void {
    const { origin } = options;
    if (this.#options.proxy) this.#refuseByName(new URL(origin).hostname);
    const connection = this.#connections.get(origin);
    if (connection) {
      connection.startBytes = connection.socket.bytesRead;
      connection.head = new HeadScanner();
    }
    this.#handlers.set(origin, handler);
    this.#dispatcher.dispatch(options, handler);
  }

  /** Reports that the request to this origin has its outcome. The next request may then be sent. */
  settled(origin: string): void {
    this.#handlers.delete(origin);
  }

  async close(): Promise<void> {
    await this.#dispatcher.destroy();
  }

  #watch(origin: string, connection: Connection): void {
    const { socket } = connection;
    this.#connections.set(origin, connection);
    // This listener is registered before the listener of the HTTP parser, so that it counts received bytes
    // before they are parsed.
    socket.on('readable', () => {
      const handler = this.#handlers.get(origin);
      if (!handler) return;
      const parsedBytes = socket.bytesRead - connection.startBytes - socket.readableLength;
      const isTooMuch = parsedBytes > handler.maxWireBytes;
      if (!isTooMuch && (connection.head.isOver || scanHead(connection))) return;
      socket.read();
      handler.onWireLimit();
    });
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
      // An IP address in the URL never reaches `lookup`, so it is checked here, before any packet is sent.
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
        const connection = { address, socket, startBytes: 0, head: new HeadScanner() };
        this.#watch(`${options.protocol}//${options.hostname}${port}`, connection);
        callback(null, socket);
      });
    };
  }
}

/** Counts the header lines that were received but not parsed yet. Returns false if there are too many. */
function scanHead({ socket, head }: Connection): boolean {
  const bytes = socket.read() as Buffer | null;
  if (!bytes) return true;
  if (head.scan(bytes) > MAX_HEAD_LINES) return false;
  socket.unshift(bytes);
  return true;
}

function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}
