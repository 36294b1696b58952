/**
 * Measures how much expensive queries delay other queries. A client searches ten times per second: first
 * alone, then while another client sends queries of 400 prefixes, four per second, or all four at once every
 * second (`--burst`).
 *
 *   gyre serve --data DATA --port 21700
 *   node bench/serve/expensive-queries-main.ts http://127.0.0.1:21700 [--burst] [--seconds 20]
 *
 * The bar: the 99th percentile of response times is at most three times that of the client alone, and at most 1
 * % of the client's searches are refused.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { quantile } from '../statistics.ts';

const WORDS =
  'node http client server event loop stream buffer request response module package error promise callback test file path url query string array object function class method value number type index'.split(
    ' ',
  );
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const PROBES_PER_SECOND = 10;
const ATTACKS_PER_SECOND = 4;

interface Reply {
  ms: number;
  status: number;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { burst: { type: 'boolean', default: false }, seconds: { type: 'string', default: '20' } },
});
const [address = 'http://127.0.0.1:8080'] = positionals;
const seconds = Number(values.seconds);
let asked = 0;

/** Returns a query that differs every time, so that no cache has the response. */
const honestQuery = () => {
  const at = asked++;
  const pick = (by: number) => WORDS[Math.floor(at / by) % WORDS.length]!;
  return `${pick(1)} ${pick(WORDS.length)} ${at % 7 === 0 ? pick(3) : ''} x${process.pid}`;
};

const hostileQuery = () => {
  const from = Math.floor(Math.random() * 276);
  const pair = (at: number) => LETTERS[Math.floor(at / 26) % 26]! + LETTERS[at % 26]!;
  return Array.from({ length: 400 }, (_, at) => `${pair(from + at)}*`).join(' ');
};

async function ask(query: string): Promise<Reply> {
  const startedAt = performance.now();
  const reply = await fetch(`${address}/search?q=${encodeURIComponent(query)}`);
  await reply.arrayBuffer();
  return { ms: performance.now() - startedAt, status: reply.status };
}

/** Sends queries on schedule, even if earlier requests have no response yet. */
async function send(query: () => string, perSecond: number, together = 1): Promise<Reply[]> {
  const replies: Promise<Reply>[] = [];
  const startedAt = performance.now();
  for (let sent = 0; sent < seconds * perSecond; sent += together) {
    await sleep(Math.max(0, startedAt + (1000 * sent) / perSecond - performance.now()));
    for (let n = 0; n < together; n++) replies.push(ask(query()));
  }
  return Promise.all(replies);
}

function row(name: string, replies: readonly Reply[]): void {
  const times = replies.map(({ ms }) => ms);
  const refused = replies.filter(({ status }) => status !== 200).length / replies.length;
  const [p50, p99, max] = [0.5, 0.99, 1].map((part) => quantile(times, part).toFixed(0));
  console.log(
    `${name.padEnd(22)} p50 ${p50} ms, p99 ${p99} ms, max ${max} ms, ${(100 * refused).toFixed(1)} % refused`,
  );
}

for (let n = 0; n < 50; n++) await ask(honestQuery());
row('probe alone', await send(honestQuery, PROBES_PER_SECOND));
const together = values.burst ? ATTACKS_PER_SECOND : 1;
const [probe, attack] = await Promise.all([
  send(honestQuery, PROBES_PER_SECOND),
  send(hostileQuery, ATTACKS_PER_SECOND, together),
]);
row('probe under attack', probe);
row('expensive queries', attack);
