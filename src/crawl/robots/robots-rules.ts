/**
 * Parses robots.txt by RFC 9309, and decides whether a path is allowed. The parser accepts any input and
 * always returns rules.
 *
 * The file is read as octets, so that an umlaut in any encoding equals its escape in a URL. CR, LF or CRLF ends
 * a line, a byte order mark is skipped, and only the first 500 KiB count. Consecutive `User-agent` lines open a
 * group. All groups that name our product token are merged; if there are none, the groups for `*` are merged.
 * Among the rules that match a path the longest wins, and `Allow` wins a tie.
 *
 * `Crawl-delay` is not part of the RFC. It applies to the agents of the `User-agent` lines before it. Lines that the RFC
 * does not define end no group (§ 2.2.4): a `User-agent` line after `Crawl-delay` still belongs to the same group.
 *
 * The rules are compiled once (`robots-matcher.ts`). For a file of 500 KiB that takes some 50 ms, which is
 * too long for the thread that crawls: `robotsParsing` does it in steps, between which other work can run.
 */
import { RobotsMatcher, type RobotsVerdict } from './robots-matcher.ts';
import { compareForm, parseRobotsPattern } from './robots-pattern.ts';

export type { RobotsVerdict } from './robots-matcher.ts';

/** Upper limit of a Crawl-delay. A host that wants less than one request a day can use `Disallow`. */
const MAX_CRAWL_DELAY_MS = 24 * 3_600_000;

export const ROBOTS_MAX_BYTES = 500 * 1024;

/** Maximum number of sitemaps that are read from a robots.txt; further ones are ignored. */
const MAX_SITEMAPS = 1_000;
/** Number of lines parsed, or of rules compiled, between two pauses. */
const LINES_PER_STEP = 64;

export interface RobotsRules {
  rules: RobotsMatcher;
  crawlDelayMs: number | null;
  sitemaps: string[];
}

/** The rules and the delay of all groups that name one agent. */
interface AgentLines {
  isNamed: boolean;
  rules: { allow: boolean; source: string; line: number }[];
  crawlDelayMs: number | null;
}

/** The group of lines that is being parsed. Its rules are added to all agents in `owners`. */
interface Group {
  owners: Set<AgentLines>;
  /** True until the first rule of the group: further `User-agent` lines belong to the same group. */
  isOpen: boolean;
}

interface Field {
  name: string;
  value: string;
  line: number;
}

/**
 * Parses a robots.txt. `agent` is our own name, such as `gyre` or `Gyre/1.0`; its product token is compared without
 * regard to case.
 */
export function parseRobots(body: Uint8Array, agent: string): RobotsRules {
  const parsing = robotsParsing(body, agent);
  for (let step = parsing.next(); ; step = parsing.next()) if (step.done) return step.value;
}

/** Parses like `parseRobots`, but in steps of less than a millisecond. */
export function* robotsParsing(body: Uint8Array, agent: string): Generator<void, RobotsRules> {
  const token = productToken(agent);
  const ours = noLines();
  const everybodys = noLines();
  const sitemaps: string[] = [];
  let group: Group | null = null;
  for (const field of fieldsOf(body)) {
    if (field === null || field.line % LINES_PER_STEP === 0) yield;
    if (field === null) continue;
    if (field.name === 'sitemap') {
      if (sitemaps.length < MAX_SITEMAPS) sitemaps.push(Buffer.from(field.value, 'latin1').toString());
    } else if (field.name === 'user-agent') {
      if (!group?.isOpen) group = { owners: new Set(), isOpen: true };
      const named = productToken(field.value);
      const owner = named === token ? ours : named === '*' ? everybodys : null;
      if (owner) {
        owner.isNamed = true;
        group.owners.add(owner);
      }
    } else if (group) {
      addLine(group, field);
    }
  }
  const { rules, crawlDelayMs } = ours.isNamed ? ours : everybodys;
  return { rules: yield* compile(rules), crawlDelayMs, sitemaps };
}

/**
 * Decides whether a URL may be fetched. `path` is its path and query. `/robots.txt` itself is always allowed (§
 * 2.2.2).
 */
export function robotsVerdict(rules: RobotsMatcher, path: string): RobotsVerdict {
  if (path === '/robots.txt') return { allowed: true, rule: null };
  return rules.verdict(compareForm(path));
}

function* compile(rules: AgentLines['rules']): Generator<void, RobotsMatcher> {
  const matcher = new RobotsMatcher();
  for (const [index, { source, ...rule }] of rules.entries()) {
    if (index % LINES_PER_STEP === 0) yield;
    matcher.add(rule, parseRobotsPattern(source));
  }
  yield* matcher.link();
  return matcher;
}

function noLines(): AgentLines {
  return { isNamed: false, rules: [], crawlDelayMs: null };
}

/**
 * Yields every line of the form `name: value`, without comments. Yields null after some of the other lines, so that
 * the caller can pause between them.
 */
function* fieldsOf(body: Uint8Array): Generator<Field | null> {
  const hasMark = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
  const bytes = body.subarray(hasMark ? 3 : 0, ROBOTS_MAX_BYTES);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const lineEnd = /\r\n|\r|\n|$/g;
  for (let start = 0, line = 1; start <= text.length; line++) {
    lineEnd.lastIndex = start;
    const { index, 0: mark } = lineEnd.exec(text)!;
    const content = text.slice(start, index).split('#', 1)[0]!;
    start = index + mark.length + (mark === '' ? 1 : 0);
    const colon = content.indexOf(':');
    if (colon < 0) {
      if (line % LINES_PER_STEP === 0) yield null;
      continue;
    }
    const name = trim(content.slice(0, colon)).toLowerCase();
    yield { name, value: trim(content.slice(colon + 1)), line };
  }
}

/** Trims only spaces and tabs. JavaScript would also trim other characters, which may be octets of a letter here. */
function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text, start)) start++;
  while (end > start && isBlank(text, end - 1)) end--;
  return text.slice(start, end);
}

function isBlank(text: string, at: number): boolean {
  return text[at] === ' ' || text[at] === '\t';
}

/** Returns the product token of a user agent: `gyre` for `Gyre/1.0 (+https://…)`. The token `*` means every agent. */
function productToken(agent: string): string {
  if (agent === '*' || agent.startsWith('* ')) return '*';
  return (/^[A-Za-z_-]+/.exec(agent)?.[0] ?? '').toLowerCase();
}

/**
 * Adds a rule or delay to the group. Rules before the first group are ignored (§ 2.2.1), and an empty pattern
 * matches nothing.
 */
function addLine(group: Group, { name, value, line }: Field): void {
  if (name === 'allow' || name === 'disallow') {
    group.isOpen = false;
    if (value === '') return;
    for (const { rules } of group.owners) rules.push({ allow: name === 'allow', source: value, line });
  } else if (name === 'crawl-delay') {
    const delayMs = Number(value) * 1000;
    if (value === '' || !(delayMs >= 0) || !Number.isFinite(delayMs)) return;
    for (const owner of group.owners) {
      owner.crawlDelayMs = Math.max(owner.crawlDelayMs ?? 0, Math.min(delayMs, MAX_CRAWL_DELAY_MS));
    }
  }
}
