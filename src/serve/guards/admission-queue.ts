/**
 * The admission queue: the bounded queue in front of every route that searches. If there
 * are too many requests, the server refuses some at once and at low cost, instead of letting them pile up.
 *
 *   arrives -> waits (at most `maxWaiting` requests, for `maxWaitMs`, else 503) -> runs (at most `maxRunning`) -> computed
 *
 * A request releases its slot when its response is computed. The time that the client takes to read the
 * response does not count; connections.ts limits it. If the client disconnects, a waiting request leaves the
 * queue, but a running one keeps its slot until the work is done: otherwise a client that disconnects at once
 * could start any number of searches. A request that never finishes loses its slot after `maxRunMs`.
 *
 * The queue is fair: clients take turns, one client has at most `maxRunningPerClient` slots, and when the
 * queue is full, the newest request of the client with the most waiting requests is refused.
 *
 * No request is admitted at once when it arrives. A search in this process blocks the event loop until it
 * ends. If requests were admitted at once, later requests would wait in the kernel, where the queue cannot
 * count them. Therefore the queue admits one request per turn of the event loop, after all requests that have
 * arrived are counted or refused.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { problemInWords } from '../errors.ts';
import { clientOf, isLoopbackClient } from './rate-limit.ts';
import type { Refusals } from './refusals.ts';

export interface AdmissionLimits {
  maxRunning: number;
  maxWaiting: number;
  maxRunningPerClient: number;
  maxWaitMs: number;
  maxRunMs: number;
}

interface Admission {
  /**
   * Resolves with true when the request is admitted; with false if the request was refused or the client has
   * disconnected.
   */
  readonly isAdmitted: Promise<boolean>;
  /** Releases the slot or leaves the queue. Only the first call has an effect. */
  leave(): void;
}

interface Waiting {
  client: string;
  timer: NodeJS.Timeout;
  decide(isAdmitted: boolean): void;
}

const RETRY_SECONDS = 1;
const DEFAULTS: AdmissionLimits = {
  /** The maximum number of running requests. It is enough to keep a few search threads busy. */
  maxRunning: 16,
  maxWaiting: 256,
  maxRunningPerClient: 8,
  /** The maximum time in the queue. Most people give up sooner. */
  maxWaitMs: 2000,
  maxRunMs: 30_000,
};

export class AdmissionQueue {
  readonly #limits: AdmissionLimits;
  readonly #refusals: Refusals;
  /** The waiting requests by client, in the order in which clients take turns. No list is empty. */
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #runningByClient = new Map<string, number>();
  #waitingCount = 0;
  #runningCount = 0;
  #isTurnSet = false;

  constructor(limits: Partial<AdmissionLimits>, refusals: Refusals) {
    this.#limits = { ...DEFAULTS, ...limits };
    this.#refusals = refusals;
  }

  get waiting(): number {
    return this.#waitingCount;
  }

  get running(): number {
    return this.#runningCount;
  }

  /**
   * Adds a request to the queue. The caller must call `leave` in the end, whether or not the request is
   * admitted.
   */
  enter(client: string): Admission {
    if (this.#waitingCount >= this.#limits.maxWaiting && !this.#makeRoomFor(client)) {
      this.#refusals.count(client);
      return { isAdmitted: Promise.resolve(false), leave() {} };
    }
    const { promise, resolve } = Promise.withResolvers<boolean>();
    let runTimer: NodeJS.Timeout | null = null;
    const waiting: Waiting = {
      client,
      timer: setTimeout(() => this.#refuse(waiting), this.#limits.maxWaitMs),
      decide: (isAdmitted) => {
        clearTimeout(waiting.timer);
        if (isAdmitted) runTimer = setTimeout(leave, this.#limits.maxRunMs).unref();
        resolve(isAdmitted);
      },
    };
    const leave = () => {
      if (this.#remove(waiting)) waiting.decide(false);
      if (runTimer === null) return;
      clearTimeout(runTimer);
      runTimer = null;
      this.#release(client);
    };
    this.#add(waiting);
    return { isAdmitted: promise, leave };
  }

  #add(waiting: Waiting): void {
    const line = this.#waiting.get(waiting.client);
    if (line) line.push(waiting);
    else this.#waiting.set(waiting.client, [waiting]);
    this.#waitingCount++;
    this.#setTurn();
  }

  #remove(waiting: Waiting): boolean {
    const line = this.#waiting.get(waiting.client);
    const index = line?.indexOf(waiting) ?? -1;
    if (!line || index < 0) return false;
    line.splice(index, 1);
    if (line.length === 0) this.#waiting.delete(waiting.client);
    this.#waitingCount--;
    return true;
  }

  #refuse(waiting: Waiting): void {
    if (!this.#remove(waiting)) return;
    this.#refusals.count(waiting.client);
    waiting.decide(false);
  }

  /**
   * Refuses the newest request of the client with the most waiting requests, and returns true. Returns false if
   * no client has more waiting requests than `client` would have with its new request.
   */
  #makeRoomFor(client: string): boolean {
    let longest: Waiting[] = [];
    for (const line of this.#waiting.values()) if (line.length > longest.length) longest = line;
    if (longest.length <= (this.#waiting.get(client)?.length ?? 0) + 1) return false;
    this.#refuse(longest.at(-1)!);
    return true;
  }

  #release(client: string): void {
    this.#runningCount--;
    const running = this.#runningByClient.get(client)! - 1;
    if (running === 0) this.#runningByClient.delete(client);
    else this.#runningByClient.set(client, running);
    this.#setTurn();
  }

  #setTurn(): void {
    if (this.#isTurnSet || this.#waitingCount === 0 || this.#runningCount >= this.#limits.maxRunning) return;
    this.#isTurnSet = true;
    setImmediate(() => {
      this.#isTurnSet = false;
      this.#admitNext();
    });
  }

  #admitNext(): void {
    for (const [client, line] of this.#waiting) {
      const running = this.#runningByClient.get(client) ?? 0;
      if (running >= this.#limits.maxRunningPerClient) continue;
      const first = line[0]!;
      this.#remove(first);
      // Moves the client to the end of the order, so that all other clients have their turn first.
      if (this.#waiting.delete(client)) this.#waiting.set(client, line);
      this.#runningByClient.set(client, running + 1);
      this.#runningCount++;
      first.decide(true);
      this.#setTurn();
      return;
    }
  }
}

/**
 * All routes that are added to `server` after this call use the admission queue. A request enters the queue
 * when its body has arrived, so that a slow sender does not occupy a slot.
 */
export function guardLoad(server: FastifyInstance, queue: AdmissionQueue): void {
  const admissions = new WeakMap<FastifyRequest, Admission>();
  server.addHook('preValidation', async (request, reply) => {
    const admission = queue.enter(clientIn(request));
    admissions.set(request, admission);
    let isGone = false;
    let isRunning = false;
    reply.raw.once('close', () => {
      isGone = true;
      if (!isRunning) admission.leave();
    });
    isRunning = await admission.isAdmitted;
    if (isGone) {
      admission.leave();
      return reply.hijack();
    }
    if (isRunning) return;
    reply.header('retry-after', RETRY_SECONDS);
    throw problemInWords(503, 'overloaded', 'detail.overloaded');
  });
  // Releases the slot when the response is computed, before any of it is sent. This hook also runs for
  // errors.
  server.addHook('onSend', (request, _reply, payload, done) => {
    admissions.get(request)?.leave();
    done(null, payload);
  });
}

/**
 * Returns the client of a request. For requests from this machine, including those that a local proxy forwards,
 * each connection counts as a client.
 */
function clientIn({ ip, socket }: FastifyRequest): string {
  const client = clientOf(ip);
  return isLoopbackClient(client) ? `${client}:${socket.remotePort}` : client;
}
