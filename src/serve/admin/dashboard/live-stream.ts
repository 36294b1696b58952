/**
 * Sends the figures of the dashboard to its viewers, as server-sent events. Everything is computed and converted to text
 * once a second for all viewers; a viewer then costs one write. Browsers connect again by themselves, and get the whole
 * history again.
 *
 *   event: start   LiveStart, when a viewer connects
 *   event: tick    LiveTick, every second
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { LiveStart, LiveTick } from '../../../web/mod.ts';
import { RequestProblem } from '../../errors.ts';
import type { Dashboard } from './dashboard.ts';
import { viewOfSnapshot } from './panels.ts';
import type { Sampler } from './sampler.ts';

const TICK_MS = 1_000;
const RETRY_MS = 2_000;
const MAX_VIEWERS = 100;
/** A viewer whose connection holds more unsent bytes than this is too slow, and is disconnected. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;

interface LiveOptions {
  sampler: Sampler;
  dashboard: Dashboard;
  /** Returns true while the session of a viewer lasts. */
  isValid(token: string): boolean;
}

export class LiveStream {
  readonly #options: LiveOptions;
  readonly #viewers = new Map<FastifyReply['raw'], string>();
  #timer: NodeJS.Timeout | null = null;

  constructor(options: LiveOptions) {
    this.#options = options;
  }

  /** Starts to take samples. The server calls `end` when it closes. */
  start(): void {
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS);
    this.#timer.unref();
  }

  end(): void {
    if (this.#timer) clearInterval(this.#timer);
    for (const viewer of this.#viewers.keys()) viewer.end();
    this.#viewers.clear();
  }

  /** Adds a viewer. `token` is that of the viewer's session. */
  async add(reply: FastifyReply, token: string): Promise<void> {
    if (this.#viewers.size >= MAX_VIEWERS)
      throw new RequestProblem(503, 'too-many-viewers', 'Too many people watch the dashboard.');
    await this.#options.dashboard.refreshFacts();
    reply.hijack();
    const { raw } = reply;
    // The viewer may have left in the meantime; then `close` would not be reported again.
    if (raw.destroyed) return;
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) raw.setHeader(name, value);
    raw.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' });
    raw.on('close', () => this.#viewers.delete(raw));
    // A write to a viewer that has just left is reported as an error, which would end the process without a listener.
    raw.on('error', () => this.#viewers.delete(raw));
    const { sampler } = this.#options;
    const start: LiveStart = { history: sampler.history, view: viewOfSnapshot(sampler.snapshot()) };
    raw.write(`retry: ${RETRY_MS}\n\n${eventOf('start', start)}`);
    this.#viewers.set(raw, token);
  }

  #tick(): void {
    const { sampler, dashboard, isValid } = this.#options;
    const sample = sampler.sample();
    if (this.#viewers.size === 0) return;
    void dashboard.refreshFacts();
    const tick: LiveTick = { sample, view: viewOfSnapshot(sampler.snapshot()) };
    const bytes = Buffer.from(eventOf('tick', tick));
    for (const [viewer, token] of this.#viewers) {
      if (!isValid(token)) viewer.end();
      else if (viewer.writableLength > MAX_WAITING_BYTES) viewer.destroy();
      else viewer.write(bytes);
    }
  }
}

function eventOf(name: string, value: LiveStart | LiveTick): string {
  return `event: ${name}\ndata: ${JSON.stringify(value)}\n\n`;
}

/** Serves the stream, and ends it with the server. */
export function liveRoutes(
  server: FastifyInstance,
  live: LiveStream,
  tokenOf: (request: FastifyRequest) => string,
): void {
  server.get('/admin/live', async (request, reply) => {
    await live.add(reply, tokenOf(request));
    return reply;
  });
  server.addHook('preClose', async () => live.end());
  live.start();
}
