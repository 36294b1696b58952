/** The command `gyre robots --file F URL…`, which shows what a robots.txt means for URLs. */
import { readFileSync } from 'node:fs';
import { messageOf, UsageError } from '../../base/mod.ts';
import { PRODUCT_TOKEN, parseRobots, politeDelayMs } from '../../crawl/mod.ts';
import type { Command, Invocation } from '../arguments.ts';
import { print, printJson } from '../output.ts';
import { describeRobotsRule, reportRobots } from '../robots-report.ts';
import type { Config } from '../settings/mod.ts';

export const robotsCommand: Command = {
  name: 'robots',
  positionals: 'URL…',
  summary: 'Shows which line of a robots.txt allows or disallows a URL, and the delay between requests',
  examples: ['gyre robots --file robots.txt https://example.org/private'],
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
  /**
   * The time between a response and the next request to the host; the actual time is longer for hosts that
   * respond slowly.
   */
  delayMs: number;
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
    else print(`${report.verdict} ${report.url} (${describeRobotsRule(report)})`);
  }
  if (flags.json) return;
  const simplified = simplifiedLine(body, agent);
  if (simplified !== null) print(simplified);
  print(delayLine(delay, config.crawl.delayFactor));
}

export function reportDelay(body: Uint8Array, agent: string, { crawl }: Pick<Config, 'crawl'>): DelayReport {
  const { crawlDelayMs } = parseRobots(body, agent);
  const politeness = { delayMs: crawl.delayMs, delayFactor: crawl.delayFactor };
  return { crawlDelayMs, delayMs: politeDelayMs(politeness, '', crawlDelayMs, 0) };
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
