/**
 * Limits what a connection may do. The limits hold for every route of every HTTP server of Gyre.
 *
 *     a request     its headers must arrive within 10 s, the whole request within 30 s
 *   in sequence   the requests of a connection are worked on one after another; at most 8 may be unanswered (pipelining)
 *   work          the server may take 2 minutes to begin a reply, for example for a purge
 *   a reply       must be read: a connection without a byte in either direction for 10 s is closed
 *   unread bytes  replies that clients have not read yet take at most 32 MiB; beyond that the connection that has been
 *                 slow for the longest time is closed
 *
 * While a reply waits to be read, the server reads nothing from its connection. Therefore the unread bytes of
 * a connection belong to one reply. Node's timer for idle sockets restarts with every byte in either
 * direction. While the server reads nothing, only bytes of the reply restart it. Therefore a client that
 * reads nothing cannot keep a connection open by sending.
 */
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { clientOf } from './rate-limit.ts';
import type { Refusals } from './refusals.ts';

export interface ConnectionLimits {
  /** The maximum time in milliseconds without a byte in either direction. */
  stalledMs: number;
  /** The same while the server works on a request. */
  workMs: number;
  headersMs: number;
  requestMs: number;
  keepAliveMs: number;
  maxUnanswered: number;
  maxUnreadBytes: number;
}

const DEFAULTS: ConnectionLimits = {
  stalledMs: 10_000,
  workMs: 120_000,
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 72_000,
  maxUnanswered: 8,
  maxUnreadBytes: 32 * 1024 * 1024,
};

/**
 * The maximum size of request headers. It is so large that the server also reads a query that is much too long
 * and fully escaped, and can refuse it with a proper reply.
 */
const MAX_HEADER_BYTES = 256 * 1024;
/** The interval in which Node.js checks for requests that are too slow. */
const CHECK_MS = 1000;

interface Connection {
  unanswered: number;
  /** Requests that wait for earlier requests on the same connection. */
  held: (() => void)[];
}

/** Returns the options of Fastify that set the limits of connections. */
export function connectionOptions(limits: Partial<ConnectionLimits> = {}) {
  const { stalledMs, headersMs, requestMs, keepAliveMs } = { ...DEFAULTS, ...limits };
  return {
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: headersMs,
      connectionsCheckingInterval: CHECK_MS,
    },
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    connectionTimeout: stalledMs,
  };
}

export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #refusals: Refusals;
  readonly #connections = new WeakMap<Socket, Connection>();
  /**
   * The sockets with a reply that is not fully read, each with the number of its unread bytes; the oldest
   * first.
   */
  readonly #unread = new Map<Socket, number>();
  #unreadBytes = 0;

  constructor(refusals: Refusals, limits: Partial<ConnectionLimits> = {}) {
    this.#limits = { ...DEFAULTS, ...limits };
    this.#refusals = refusals;
  }

  get unreadBytes(): number {
    return this.#unreadBytes;
  }

  /**
   * Calls `proceed` when all earlier requests on the connection have their replies. If the connection is closed
   * first, `proceed` is never called.
   */
  take({ raw, ip }: FastifyRequest, reply: FastifyReply, proceed: () => void): void {
    const { socket } = raw;
    const connection = this.#connectionOf(socket);
    if (++connection.unanswered > this.#limits.maxUnanswered) {
      if (!socket.destroyed) this.#close(socket, clientOf(ip));
      return;
    }
    reply.raw
      .once('prefinish', () => this.#watchUnread(socket))
      .once('close', () => this.#answered(socket, connection));
    const work = () => {
      setIdleTime(socket, this.#limits.workMs);
      proceed();
    };
    if (connection.unanswered === 1) work();
    else connection.held.push(work);
  }

  /** The reply to a request begins now. */
  begin({ raw }: FastifyRequest): void {
    setIdleTime(raw.socket, this.#limits.stalledMs);
  }

  #connectionOf(socket: Socket): Connection {
    const known = this.#connections.get(socket);
    if (known) return known;
    const connection = { unanswered: 0, held: [] };
    this.#connections.set(socket, connection);
    return connection;
  }

  #answered(socket: Socket, connection: Connection): void {
    connection.unanswered--;
    const bytes = this.#unread.get(socket);
    if (bytes !== undefined) {
      this.#unread.delete(socket);
      this.#unreadBytes -= bytes;
      if (!socket.destroyed) socket.resume();
    }
    if (!socket.destroyed) connection.held.shift()?.();
  }

  /**
   * Watches a reply that was written to the socket until it is read. In most cases there is nothing to watch,
   * because the kernel has already accepted the whole reply.
   */
  #watchUnread(socket: Socket): void {
    const bytes = socket.writableLength;
    // If a test injects a request, its socket has no `writableLength`.
    if (!bytes) return;
    socket.pause();
    this.#unread.set(socket, bytes);
    this.#unreadBytes += bytes;
    for (const oldest of this.#unread.keys()) {
      if (this.#unreadBytes <= this.#limits.maxUnreadBytes || oldest === socket) return;
      this.#close(oldest, clientOf(oldest.remoteAddress ?? ''));
    }
  }

  #close(socket: Socket, client: string): void {
    this.#refusals.count(client);
    // Subtracts the bytes here, because the `close` event comes too late for the next check of the sum.
    this.#unreadBytes -= this.#unread.get(socket) ?? 0;
    this.#unread.delete(socket);
    socket.destroy();
  }
}

/** If a test injects a request, its socket has no timer. */
function setIdleTime(socket: Partial<Socket>, timeMs: number): void {
  socket.setTimeout?.(timeMs);
}

/** Installs the limits as hooks. They must be the first hooks of the server. */
export function guardConnections(server: FastifyInstance, connections: Connections): void {
  server.addHook('onRequest', (request, reply, done) => connections.take(request, reply, done));
  server.addHook('onSend', (request, _reply, payload, done) => {
    connections.begin(request);
    done(null, payload);
  });
}
