/** The command `gyre robots --file F URL…`, which shows what a robots.txt means for URLs. */
import { readFileSync } from 'node:fs';
import { messageOf, UsageError } from '../../base/mod.ts';
import { PRODUCT_TOKEN, parseRobots, politeDelayMs, robotsVerdict } from '../../crawl/mod.ts';
import type { Command, Invocation } from '../arguments.ts';
import { print, printJson } from '../output.ts';
import type { Config } from '../settings/mod.ts';

export const robotsCommand: Command = {
  name: 'robots',
  positionals: 'URL…',
  summary: 'Shows which line of a robots.txt allows or disallows a URL, and the delay between requests',
  settings: ['delay'],
  flags: [
    { name: 'file', kind: 'string', value: 'FILE', help: 'the robots.txt to read' },
    { name: 'agent', kind: 'string', value: 'NAME', help: `name of the robot (${PRODUCT_TOKEN})` },
    { name: 'json', kind: 'boolean', help: 'print one JSON object per line' },
  ],
  run: robots,
};

interface DelayReport {
  /** The Crawl-delay in the robots.txt; null if it has none. */
  crawlDelayMs: number | null;
  /** The time between a response and the next request to the host; longer for hosts that respond slowly. */
  delayMs: number;
}

interface RobotsReport {
  url: string;
  verdict: 'allow' | 'disallow';
  /**
   * Number of the line with the deciding rule, starting with 1; `text` is that line. Both are null if no rule matches
   * the URL, or if matching took too many steps.
   */
  line: number | null;
  text: string | null;
}

async function robots({ config, flags, positionals }: Invocation): Promise<void> {
  if (typeof flags.file !== 'string') {
    throw new UsageError('no-file', 'missing --file: gyre robots --file robots.txt URL');
  }
  if (positionals.length === 0) {
    throw new UsageError('no-url', 'missing URL: gyre robots --file robots.txt /private/');
  }
  const agent = typeof flags.agent === 'string' ? flags.agent : PRODUCT_TOKEN;
  const body = readRobots(flags.file);
  const delay = reportDelay(body, agent, config);
  for (const report of reportRobots(body, agent, positionals)) {
    if (flags.json) printJson({ ...report, ...delay });
    else print(`${report.verdict} ${report.url} (${reasonOf(report)})`);
  }
  if (flags.json) return;
  const simplified = simplifiedLine(body, agent);
  if (simplified !== null) print(simplified);
  print(delayLine(delay, config.crawl.delayFactor));
}

export function reportDelay(body: Uint8Array, agent: string, { crawl }: Pick<Config, 'crawl'>): DelayReport {
  const { crawlDelayMs } = parseRobots(body, agent);
  const politeness = { delayMs: crawl.delayMs, delayFactor: crawl.delayFactor };
  return { crawlDelayMs, delayMs: politeDelayMs(politeness, crawlDelayMs, 0) };
}

/**
 * Returns a sentence about the delay, such as `waits 10 s between requests (Crawl-delay), and at least 2 times as
 * long as the last answer took`.
 */
export function delayLine({ crawlDelayMs, delayMs }: DelayReport, delayFactor: number): string {
  const isAsked = crawlDelayMs !== null && crawlDelayMs >= delayMs;
  const own = `crawl.delay; the file asks for ${crawlDelayMs === null ? 'none' : seconds(crawlDelayMs)}`;
  const slow = delayFactor > 0 ? `, and at least ${delayFactor} times as long as the last answer took` : '';
  return `waits ${seconds(delayMs)} between requests (${isAsked ? 'Crawl-delay' : own})${slow}`;
}

function seconds(ms: number): string {
  return `${ms / 1000} s`;
}

/**
 * Returns the verdict of a robots.txt about each URL. Throws a UsageError at the first of `urls` that is neither a
 * web address nor a path.
 */
export function reportRobots(body: Uint8Array, agent: string, urls: readonly string[]): RobotsReport[] {
  const { rules } = parseRobots(body, agent);
  const lines = Buffer.from(body)
    .toString()
    .split(/\r\n|\r|\n/);
  return urls.map((url) => {
    const { allowed, rule } = robotsVerdict(rules, pathToAsk(url));
    const text = rule === null ? null : lines[rule.line - 1]!.trim();
    return { url, verdict: allowed ? 'allow' : 'disallow', line: rule?.line ?? null, text };
  });
}

/**
 * Returns a warning if the robots.txt is so large that some rules are simplified; null if all rules are applied as
 * written.
 */
export function simplifiedLine(body: Uint8Array, agent: string): string | null {
  const { simplifiedCount } = parseRobots(body, agent).rules;
  if (simplifiedCount === 0) return null;
  return (
    `simplified ${simplifiedCount} rules: the file has too many wildcards, or patterns that are too long. Such a ` +
    'Disallow applies to all paths that begin like its pattern, and such an Allow is ignored'
  );
}

function readRobots(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new UsageError('bad-file', `cannot read ${file}: ${messageOf(cause)}`, { cause });
  }
}

/** Returns path and query of a URL. All query parameters are kept, because the verdict is about the URL as given. */
function pathToAsk(raw: string): string {
  const url = URL.parse(raw, raw.startsWith('/') ? 'https://any.host/' : undefined);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new UsageError('bad-url', `expected a URL such as https://example.org/a or /a, got "${raw}"`);
  }
  url.hash = '';
  return url.href.slice(url.href.indexOf('/', url.protocol.length + 2));
}

function reasonOf({ line, text, verdict }: RobotsReport): string {
  if (line !== null) return `line ${line}: ${text}`;
  return verdict === 'allow' ? 'no rule matches' : 'too many rules apply to it';
}
