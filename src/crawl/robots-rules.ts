/**
 * robots.txt as RFC 9309 has it: a parser that returns rules, whatever it is given, and one
 * function that says yes or no.
 *
 * Lines are read as bytes come: any of CR, LF, CRLF ends a line, a byte order mark is skipped, only
 * the first 500 KiB count. Consecutive `User-agent` lines open a group; all groups that name our
 * product token are merged, and if there is none, those for `*` are. Of the rules that match a path
 * the longest wins, and `Allow` wins a tie. `Crawl-delay` is no part of the RFC, but honoured.
 *
 * No regular expression is built from input: patterns are matched piece by piece, left to right.
 */
import { normalizeEscapes } from '../url/mod.ts';

export const ROBOTS_MAX_BYTES = 500 * 1024;

export interface RobotsRule {
  allow: boolean;
  /** Percent-encoding normalised; `*` and a final `$` are special. */
  pattern: string;
  /** 1-based line in the file. */
  line: number;
}

export interface RobotsRules {
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
  crawlDelayMs: number | null;
}

/** `productToken` is ours, such as `gyre`; compared without regard to case. */
export function parseRobots(body: Uint8Array, productToken: string): RobotsRules {
  const text = new TextDecoder('utf-8').decode(body.subarray(0, ROBOTS_MAX_BYTES));
  const groups: Group[] = [];
  const sitemaps: string[] = [];
  let group: Group | null = null;
  let openForAgents = false;
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    const field = parseLine(line);
    if (!field) continue;
    if (field.name === 'sitemap') {
      sitemaps.push(field.value);
    } else if (field.name === 'user-agent') {
      if (!group || !openForAgents) {
        group = { agents: [], rules: [], crawlDelayMs: null };
        groups.push(group);
      }
      group.agents.push(agentToken(field.value));
      openForAgents = true;
    } else if (group) {
      openForAgents = addRule(group, field, index + 1) ? false : openForAgents;
    }
  }
  return { ...mergeGroups(groups, productToken.toLowerCase()), sitemaps };
}

/** `path` is path and query of a canonical URL. `/robots.txt` itself is always allowed (§ 2.2.2). */
export function robotsVerdict(rules: readonly RobotsRule[], path: string): RobotsVerdict {
  if (path === '/robots.txt') return { allowed: true, rule: null };
  const target = normalizePattern(path);
  let best: RobotsRule | null = null;
  for (const rule of rules) {
    if (best && rule.pattern.length < best.pattern.length) continue;
    if (best && rule.pattern.length === best.pattern.length && !rule.allow) continue;
    if (matches(rule.pattern, target)) best = rule;
  }
  return { allowed: best?.allow ?? true, rule: best };
}

function parseLine(line: string): { name: string; value: string } | null {
  const content = line.split('#', 1)[0]!;
  const colon = content.indexOf(':');
  if (colon < 0) return null;
  return { name: content.slice(0, colon).trim().toLowerCase(), value: content.slice(colon + 1).trim() };
}

/** Adds what a line says to the group; false when the line is no rule and leaves the group open. */
function addRule(group: Group, field: { name: string; value: string }, line: number): boolean {
  if (field.name === 'allow' || field.name === 'disallow') {
    // An empty pattern matches nothing: "Disallow:" allows all.
    if (field.value === '') return true;
    group.rules.push({ allow: field.name === 'allow', pattern: normalizePattern(field.value), line });
    return true;
  }
  if (field.name === 'crawl-delay') {
    const seconds = Number(field.value);
    if (field.value !== '' && seconds >= 0 && Number.isFinite(seconds)) group.crawlDelayMs = seconds * 1000;
    return true;
  }
  return false;
}

/** `Gyre/1.0 (+https://…)` names the token `gyre`; `*` stands for everybody. */
function agentToken(value: string): string {
  if (value === '*' || value.startsWith('* ')) return '*';
  return (/^[A-Za-z_-]+/.exec(value)?.[0] ?? '').toLowerCase();
}

function mergeGroups(groups: Group[], token: string): { rules: RobotsRule[]; crawlDelayMs: number | null } {
  const named = groups.filter((group) => group.agents.includes(token));
  const chosen = named.length > 0 ? named : groups.filter((group) => group.agents.includes('*'));
  const delays = chosen.map((group) => group.crawlDelayMs).filter((delay) => delay !== null);
  return {
    rules: chosen.flatMap((group) => group.rules),
    crawlDelayMs: delays.length > 0 ? Math.max(...delays) : null,
  };
}

/** Escapes what a URL would escape and writes every escape alike, so that both sides compare equal (§ 2.2.2). */
function normalizePattern(text: string): string {
  return normalizeEscapes(text.replace(/[^\x21-\x7e]/gu, encodeUtf8));
}

function encodeUtf8(character: string): string {
  const hex = Buffer.from(character).toString('hex').toUpperCase();
  return hex.replace(/../g, (byte) => `%${byte}`);
}

/**
 * Glob matching from the start of `path`. Taking the leftmost place for each piece between stars is
 * enough: a later place could only leave less for the pieces behind it. Linear for each piece.
 */
function matches(pattern: string, path: string): boolean {
  const anchored = pattern.endsWith('$');
  const pieces = (anchored ? pattern.slice(0, -1) : pattern).split('*');
  const first = pieces[0]!;
  if (!path.startsWith(first)) return false;
  if (pieces.length === 1) return !anchored || path.length === first.length;
  const last = anchored ? pieces.pop()! : '';
  let at = first.length;
  for (const piece of pieces.slice(1)) {
    const found = path.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return !anchored || (path.length - last.length >= at && path.endsWith(last));
}
