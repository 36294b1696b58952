/**
 * robots.txt as RFC 9309 has it: a parser that returns rules, whatever it is given, and one
 * function that says yes or no.
 *
 * The file is read as octets, so that an umlaut in any encoding equals its escape in a URL: any of CR,
 * LF, CRLF ends a line, a byte order mark is skipped, only the first 500 KiB count. Consecutive
 * `User-agent` lines open a group; all groups that name our product token are merged, and if there is
 * none, those for `*` are. Of the rules that match a path the longest wins, and `Allow` wins a tie.
 *
 * `Crawl-delay` is no part of the RFC, but honoured, for the agents that were named before it. Like
 * every line that the RFC does not define it leaves the groups as they are (§ 2.2.4).
 *
 * No regular expression is built from input: `robots-pattern.ts` matches piece by piece.
 */
import { compareForm, compilePattern, type RobotsPattern } from './robots-pattern.ts';

/** A longer Crawl-delay is taken for this: who wants to be asked less than once a day says `Disallow`. */
export const MAX_CRAWL_DELAY_MS = 24 * 3_600_000;

export const ROBOTS_MAX_BYTES = 500 * 1024;

export interface RobotsRule {
  allow: boolean;
  pattern: RobotsPattern;
  /** 1-based line in the file. */
  line: number;
}

export interface RobotsRules {
  /** The most specific first. */
  rules: RobotsRule[];
  crawlDelayMs: number | null;
  sitemaps: string[];
}

export interface RobotsVerdict {
  allowed: boolean;
  /** The rule that decided; null when none matched, which means allowed. */
  rule: RobotsRule | null;
}

interface Group {
  agents: string[];
  rules: RobotsRule[];
  /** Each with the number of agents that it is for: those named before it. */
  delays: { agentCount: number; delayMs: number }[];
  /** Further agents may follow, as no rule has come yet. */
  open: boolean;
}

interface Field {
  name: string;
  value: string;
  line: number;
}

/** `agent` is ours, such as `gyre` or `Gyre/1.0`; its product token is compared without regard to case. */
export function parseRobots(body: Uint8Array, agent: string): RobotsRules {
  const groups: Group[] = [];
  const sitemaps: string[] = [];
  for (const field of fieldsOf(body)) {
    if (field.name === 'sitemap') sitemaps.push(Buffer.from(field.value, 'latin1').toString());
    else if (field.name === 'user-agent') addAgent(groups, productToken(field.value));
    else addLine(groups.at(-1), field);
  }
  return { ...mergeGroups(groups, productToken(agent)), sitemaps };
}

/** `path` is path and query of a URL. `/robots.txt` itself is always allowed (§ 2.2.2). */
export function robotsVerdict(rules: readonly RobotsRule[], path: string): RobotsVerdict {
  if (path === '/robots.txt') return { allowed: true, rule: null };
  const target = compareForm(path);
  const rule = rules.find(({ pattern }) => pattern.matches(target)) ?? null;
  return { allowed: rule?.allow ?? true, rule };
}

/** Every line of the form `name: value`, without comments. */
function* fieldsOf(body: Uint8Array): Generator<Field> {
  const hasMark = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
  const bytes = body.subarray(hasMark ? 3 : 0, ROBOTS_MAX_BYTES);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    const content = line.split('#', 1)[0]!;
    const colon = content.indexOf(':');
    if (colon < 0) continue;
    const name = trim(content.slice(0, colon)).toLowerCase();
    yield { name, value: trim(content.slice(colon + 1)), line: index + 1 };
  }
}

/** Blanks and tabs only: what else JavaScript trims may be an octet of a letter. */
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

/** `Gyre/1.0 (+https://…)` names the token `gyre`; `*` stands for everybody. */
function productToken(agent: string): string {
  if (agent === '*' || agent.startsWith('* ')) return '*';
  return (/^[A-Za-z_-]+/.exec(agent)?.[0] ?? '').toLowerCase();
}

function addAgent(groups: Group[], token: string): void {
  const last = groups.at(-1);
  if (last?.open) last.agents.push(token);
  else groups.push({ agents: [token], rules: [], delays: [], open: true });
}

/** A rule before the first group is nobody's (§ 2.2.1), and an empty pattern matches nothing. */
function addLine(group: Group | undefined, { name, value, line }: Field): void {
  if (!group) return;
  if (name === 'allow' || name === 'disallow') {
    group.open = false;
    if (value !== '') group.rules.push({ allow: name === 'allow', pattern: compilePattern(value), line });
  } else if (name === 'crawl-delay') {
    const delayMs = Number(value) * 1000;
    if (value !== '' && delayMs >= 0 && Number.isFinite(delayMs)) {
      group.delays.push({ agentCount: group.agents.length, delayMs: Math.min(delayMs, MAX_CRAWL_DELAY_MS) });
    }
  }
}

function mergeGroups(groups: readonly Group[], token: string): Pick<RobotsRules, 'rules' | 'crawlDelayMs'> {
  const isNamed = groups.some(({ agents }) => agents.includes(token));
  const chosen = isNamed ? token : '*';
  const ours = groups.filter(({ agents }) => agents.includes(chosen));
  const delays = ours.flatMap(({ agents, delays }) =>
    delays.filter(({ agentCount }) => agents.indexOf(chosen) < agentCount).map(({ delayMs }) => delayMs),
  );
  return {
    rules: ours.flatMap(({ rules }) => rules).sort(bySpecificity),
    crawlDelayMs: delays.length > 0 ? Math.max(...delays) : null,
  };
}

/** The sort is stable: of equal rules the first in the file stays the first. */
function bySpecificity(a: RobotsRule, b: RobotsRule): number {
  return b.pattern.length - a.pattern.length || Number(b.allow) - Number(a.allow);
}
