/**
 * Probes a server under attack: ten searches per second, sent on schedule even if earlier searches have no
 * response yet. Each uses its own connection and different words, so that no cache has the response.
 */
import { request } from 'node:http';
import { sleep } from '../../src/base/mod.ts';

const INTERVAL_MS = 100;
/** The time in milliseconds after which a search without a response counts as hung. */
const HANG_MS = 10_000;

export interface ProbeReport {
  sent: number;
  /** The number of responses with a status other than 200, mostly 503 and 429. */
  refused: number;
  hung: number;
  p99Ms: number;
}

interface Reply {
  status: number;
  elapsedMs: number;
}

/** Sends searches for `seconds`. `words` yields the words of each search in turn. */
export async function probe(
  kind: 'serve' | 'mcp',
  port: number,
  words: Iterator<string>,
  seconds: number,
): Promise<ProbeReport> {
  const pending: Promise<Reply>[] = [];
  const startedAt = performance.now();
  for (let sent = 0; sent < seconds * 10; sent++) {
    await sleep(Math.max(0, startedAt + sent * INTERVAL_MS - performance.now()));
    pending.push(search(kind, port, words.next().value as string));
  }
  return summarize(await Promise.all(pending));
}

export function summarize(replies: readonly Reply[]): ProbeReport {
  const times = replies.map(({ elapsedMs }) => elapsedMs).sort((a, b) => a - b);
  return {
    sent: replies.length,
    refused: replies.filter(({ status }) => status !== 200 && status !== 0).length,
    hung: replies.filter(({ status }) => status === 0).length,
    p99Ms: times[Math.ceil(times.length * 0.99) - 1] ?? 0,
  };
}

/** Formats a tool call as a client of the Model Context Protocol sends it. */
export function toolCall(name: string, input: Record<string, unknown>): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: input },
  });
}

function search(kind: 'serve' | 'mcp', port: number, words: string): Promise<Reply> {
  const startedAt = performance.now();
  const body = kind === 'mcp' ? toolCall('search', { query: words }) : '';
  const options = {
    port,
    host: '127.0.0.1',
    agent: false,
    method: kind === 'mcp' ? 'POST' : 'GET',
    path: kind === 'mcp' ? '/mcp' : `/search?q=${encodeURIComponent(words)}`,
    headers: kind === 'mcp' ? { 'content-type': 'application/json', 'content-length': body.length } : {},
    signal: AbortSignal.timeout(HANG_MS),
  };
  return new Promise((resolve) => {
    const settle = (status: number) => resolve({ status, elapsedMs: performance.now() - startedAt });
    request(options, (response) => {
      response.resume();
      response.on('end', () => settle(response.statusCode ?? 0));
      response.on('error', () => settle(0));
    })
      .on('error', () => settle(0))
      .end(body);
  });
}
