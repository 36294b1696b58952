/**
 * The HTTP server of a search node. It accepts messages of gateways with the secret of the cluster, and hands them to
 * the shards.
 *
 *   POST /shard    calls methods of shards
 *   POST /states   returns the states of the shards that are open
 *
 * Nothing of a message is decoded before its seal is verified. The server itself does no search work, so it answers
 * for `/states` also while searches run in its threads.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Log, messageOf, systemCode, UsageError } from '../../base/mod.ts';
import { decodeCalls, encodeReplies } from './call-batch.ts';
import { type NodeStates, SHARD_PATH, STATES_PATH } from './node-connection.ts';
import { encodePart, MessageError, openMessage, sealAtEnd, sealMessage } from './shard-message.ts';
import type { RequestHead } from './shard-responder.ts';

const MAX_REQUEST_BYTES = 16 * 1024 * 1024;
const REQUEST_MS = 30_000;
/**
 * The maximum number of messages with calls that are answered at the same time. Further ones are refused at once, before
 * their body is read, so that a storm of queries needs neither memory nor processor time here. Polls are always answered.
 */
const MAX_MESSAGES = 256;
const RETRY_SECONDS = 1;
/**
 * The server must keep idle connections longer than the client. Otherwise the server could close a connection
 * just when a request arrives.
 */
const KEEP_ALIVE_MS = 60_000;

export interface ServedShards {
  states(): NodeStates;
  /** Runs a call and returns the parts of the reply. */
  respond(head: RequestHead, parts: readonly Buffer[]): Promise<Buffer[]>;
}

/** The messages with calls that a search node has received. */
interface ShardLoad {
  /** Messages that are being answered now. */
  inFlight: number;
  messages: number;
  /** Messages that were refused, because too many others were being answered. */
  refused: number;
}

export interface ListenAddress {
  host: string;
  /** The port to listen on; 0 for any free port. */
  port: number;
}

export class ShardServer {
  readonly #key: Buffer;
  readonly #shards: ServedShards;
  readonly #log: Log;
  readonly #server: Server;
  readonly #maxMessages: number;
  readonly #load: ShardLoad = { inFlight: 0, messages: 0, refused: 0 };

  constructor(key: Buffer, shards: ServedShards, log: Log, { maxMessages = MAX_MESSAGES } = {}) {
    this.#maxMessages = maxMessages;
    this.#key = key;
    this.#shards = shards;
    this.#log = log;
    const limits = { requestTimeout: REQUEST_MS, keepAliveTimeout: KEEP_ALIVE_MS };
    this.#server = createServer(limits, (request, response) => void this.#handle(request, response));
  }

  get load(): Readonly<ShardLoad> {
    return this.#load;
  }

  /** Starts to listen; returns the port. Rejects with a `UsageError` if the address cannot be used. */
  async listen({ host, port }: ListenAddress): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', (error) => {
        const why = systemCode(error) || messageOf(error);
        const what = `the search role cannot listen on ${host}:${port} (${why}): choose another address with --listen`;
        reject(new UsageError('address-unusable', what, { cause: error }));
      });
      this.#server.listen(port, host, resolve);
    });
    return (this.#server.address() as AddressInfo).port;
  }

  /** Stops listening. Requests in flight have `withinMs` to be answered. */
  async close(withinMs: number): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeIdleConnections();
    const timer = setTimeout(() => this.#server.closeAllConnections(), withinMs);
    await closed;
    clearTimeout(timer);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const isPoll = request.url === STATES_PATH;
    if (!isPoll && this.#load.inFlight >= this.#maxMessages) {
      this.#load.refused++;
      response.setHeader('retry-after', RETRY_SECONDS);
      return refuse(response, 503, 'too many messages are waiting');
    }
    if (!isPoll) {
      this.#load.messages++;
      this.#load.inFlight++;
      response.once('close', () => this.#load.inFlight--);
    }
    try {
      const body = await readBody(request);
      if (!body) return refuse(response, 413, `a request has at most ${MAX_REQUEST_BYTES} bytes`);
      const parts = openMessage(body, this.#key);
      const reply = await this.#reply(request.url ?? '', parts);
      if (!reply) return refuse(response, 404, `there is no ${request.url}`);
      response.end(sealMessage(reply, this.#key, sealAtEnd(body)));
    } catch (error) {
      if (request.destroyed && !request.complete) return;
      const isRefused = error instanceof MessageError || systemCode(error) === 'message-refused';
      if (!isRefused) this.#log.error('shard request failed', { reason: messageOf(error) });
      refuse(response, isRefused ? 400 : 500, messageOf(error));
    }
  }

  async #reply(path: string, parts: readonly Buffer[]): Promise<Buffer[] | null> {
    if (path === STATES_PATH) return [encodePart(this.#shards.states())];
    if (path !== SHARD_PATH) return null;
    const replies = decodeCalls(parts).map((call) => this.#shards.respond(call.head, call.parts));
    return encodeReplies(await Promise.all(replies));
  }
}

/** Returns the body of a request; null if it is too large. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_REQUEST_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

function refuse(response: ServerResponse, status: number, reason: string): void {
  response
    .writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' })
    .end(reason);
}
