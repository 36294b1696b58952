/** gyre robots --file F URL… */
import { readFileSync } from 'node:fs';
import { messageOf, UsageError } from '../../base/mod.ts';
import { PRODUCT_TOKEN, parseRobots, robotsVerdict } from '../../crawl/mod.ts';
import type { Command, Invocation } from '../arguments.ts';
import { print, printJson } from '../output.ts';

export const robotsCommand: Command = {
  name: 'robots',
  positionals: 'URL…',
  summary: 'Tells what a robots.txt allows, and by which of its lines',
  settings: [],
  flags: [
    { name: 'file', kind: 'string', value: 'FILE', help: 'the robots.txt to read' },
    { name: 'agent', kind: 'string', value: 'NAME', help: `the robot that asks (${PRODUCT_TOKEN})` },
    { name: 'json', kind: 'boolean', help: 'print a JSON object a line' },
  ],
  run: robots,
};

export interface RobotsReport {
  url: string;
  verdict: 'allow' | 'disallow';
  /** 1-based, with the text that stands there; null when no rule matches. */
  line: number | null;
  text: string | null;
}

async function robots({ flags, positionals }: Invocation): Promise<void> {
  if (typeof flags.file !== 'string') {
    throw new UsageError('no-file', 'name a robots.txt with --file, as in gyre robots --file robots.txt URL');
  }
  if (positionals.length === 0) {
    throw new UsageError('no-url', 'name a URL to ask about, as in gyre robots --file robots.txt /private/');
  }
  const agent = typeof flags.agent === 'string' ? flags.agent : PRODUCT_TOKEN;
  for (const report of reportRobots(readRobots(flags.file), agent, positionals)) {
    if (flags.json) printJson(report);
    else print(`${report.verdict} ${report.url} (${reasonOf(report)})`);
  }
}

/** Throws a UsageError at the first of `urls` that is neither a web address nor a path. */
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

function readRobots(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new UsageError('bad-file', `cannot read ${file}: ${messageOf(cause)}`, { cause });
  }
}

/** The URL as it was given, parsed but with all its parameters: the question is about this one. */
function pathToAsk(raw: string): string {
  const url = URL.parse(raw, raw.startsWith('/') ? 'https://any.host/' : undefined);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new UsageError('bad-url', `"${raw}" is no web address; write it like https://example.org/a or /a`);
  }
  url.hash = '';
  return url.href.slice(url.href.indexOf('/', url.protocol.length + 2));
}

function reasonOf({ line, text }: RobotsReport): string {
  return line === null ? 'no rule matches' : `line ${line}: ${text}`;
}
