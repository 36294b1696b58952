/**
 * The gate before everything that searches: a bounded queue, so that more than the server can do is refused at once
 * and cheaply instead of piling up.
 *
 *   arrives -> waits (at most `maxWaiting`, and `maxWaitMs`, else 503) -> is let in (at most `maxRunning`) -> leaves
 *
 * Nobody is let in on arrival. Searches of this process run to their end without a pause, so requests that came in
 * together would each be served before the next is even seen, and the queue would stand in the kernel, where nobody
 * counts it. Waiting for a turn of the event loop, one request a turn, lets all that has arrived be counted, and refused,
 * first.
 */
import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { problemInWords } from './errors.ts';
import { wordsFor } from './words/words.ts';

export interface LoadLimits {
  maxRunning: number;
  maxWaiting: number;
  /** Who has waited longer when the turn comes is refused: most have given up by then. Default 2 s. */
  maxWaitMs?: number;
}

interface Waiting {
  since: number;
  decide(isAdmitted: boolean): void;
}

const RETRY_SECONDS = 1;
const DEFAULT_WAIT_MS = 2000;

export class LoadGate {
  readonly #limits: LoadLimits;
  #waiting: Waiting[] = [];
  #running = 0;
  #isTurnSet = false;
  #refused = 0;

  constructor(limits: LoadLimits) {
    this.#limits = limits;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  get running(): number {
    return this.#running;
  }

  /** How many were refused since the start. */
  get refused(): number {
    return this.#refused;
  }

  /** True when it is one's turn; then `leave` must follow. False if too many wait already, or it took too long. */
  enter(): Promise<boolean> {
    if (this.#waiting.length >= this.#limits.maxWaiting) {
      this.#refused++;
      return Promise.resolve(false);
    }
    return new Promise((decide) => {
      this.#waiting.push({ since: performance.now(), decide });
      this.#setTurn();
    });
  }

  leave(): void {
    this.#running--;
    this.#setTurn();
  }

  #setTurn(): void {
    if (this.#isTurnSet || this.#waiting.length === 0) return;
    this.#isTurnSet = true;
    setImmediate(() => {
      this.#isTurnSet = false;
      this.#refuseLate();
      if (this.#running >= this.#limits.maxRunning) return;
      const first = this.#waiting.shift();
      if (!first) return;
      this.#running++;
      first.decide(true);
      this.#setTurn();
    });
  }

  #refuseLate(): void {
    const earliest = performance.now() - (this.#limits.maxWaitMs ?? DEFAULT_WAIT_MS);
    const late = this.#waiting.findIndex(({ since }) => since >= earliest);
    const refused = this.#waiting.splice(0, late < 0 ? this.#waiting.length : late);
    this.#refused += refused.length;
    for (const { decide } of refused) decide(false);
  }
}

/** Puts the gate before all routes that are added to `server` from now on. */
export function guardLoad(server: FastifyInstance, gate: LoadGate): void {
  server.addHook('onRequest', async (request, reply) => {
    if (!(await gate.enter())) return refuse(request, reply);
    onceOver(reply.raw, () => gate.leave());
  });
}

/** In one line for people: a whole page would cost the time that others wait for. */
function refuse(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.header('retry-after', RETRY_SECONDS);
  if (request.url.startsWith('/api/')) throw problemInWords(503, 'overloaded', 'detail.overloaded');
  const words = wordsFor(request.headers['accept-language'] ?? '');
  return reply
    .code(503)
    .type('text/plain; charset=utf-8')
    .header('content-language', words.tag)
    .send(`${words.text('detail.overloaded')}\n`);
}

/** An answer is over when it was sent, or when the one who asked has gone. */
function onceOver(response: ServerResponse, then: () => void): void {
  let isOver = false;
  const end = () => {
    if (isOver) return;
    isOver = true;
    then();
  };
  if (response.destroyed) end();
  else response.once('finish', end).once('close', end);
}
