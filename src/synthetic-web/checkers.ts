/**
 * Checks that the requests in a log obeyed the rules of politeness and of robots.txt. Each violation names
 * the rule and the requests, so that a failed test can be understood without the log.
 *
 * Politeness: violations of a request, compared with the earlier requests to its host:
 *
 *   overlap       it started before an earlier request had finished
 *   too soon      it started less than the delay after the last request had finished. The delay is
 *                 `delayMs`, or the host's Crawl-delay if that is longer and neither of the two
 *                 requests is for robots.txt (which contains the Crawl-delay)
 *     retry-after   it started before the time until which an earlier 429 or 503 of this host asked to wait
 *
 * Measuring from end to start is the stricter interpretation of a delay; a crawler that waits from the end of
 * a response satisfies it. `toleranceMs` allows for the imprecision of clocks and timers.
 *
 * Robots: violations by the verdict of the plan on each path:
 *
 *   disallowed     a request for a path that robots.txt of the host disallows
 *   unread         a request for a page before any request for robots.txt of the host had finished
 *   closed         a request for a page of a host whose robots.txt returns 5xx or no response
 */
import type { WebPlan } from './plan.ts';
import type { LogEntry } from './request-log.ts';

export interface Violation {
  rule: 'overlap' | 'too-soon' | 'retry-after' | 'disallowed' | 'unread' | 'closed';
  host: string;
  /** The number in the log of the request that violates the rule. */
  request: number;
  message: string;
}

export interface PolitenessLimits {
  delayMs: number;
  toleranceMs: number;
}

export function politenessViolations(
  log: Iterable<LogEntry>,
  plan: WebPlan,
  { delayMs, toleranceMs }: PolitenessLimits,
): Violation[] {
  const violations: Violation[] = [];
  for (const [host, entries] of byHost(log)) {
    const crawlDelayMs = plan.sites.get(host)?.robots?.crawlDelayMs ?? 0;
    const isRobotsFile = (entry: LogEntry) => plan.isRobotsFile(host, entry.path);
    let last: LogEntry | undefined;
    let retryAt = Number.NEGATIVE_INFINITY;
    for (const entry of entries) {
      if (last) {
        const bothPages = !isRobotsFile(last) && !isRobotsFile(entry);
        const neededMs = Math.max(delayMs, bothPages ? crawlDelayMs : 0);
        violations.push(...spacing(last, entry, neededMs, toleranceMs));
      }
      if (entry.startedAt < retryAt - toleranceMs) violations.push(impatience(entry, retryAt));
      retryAt = Math.max(retryAt, entry.retryAt ?? Number.NEGATIVE_INFINITY);
      if (!last || endOf(entry) >= endOf(last)) last = entry;
    }
  }
  return violations;
}

export function robotsViolations(log: Iterable<LogEntry>, plan: WebPlan): Violation[] {
  const violations: Violation[] = [];
  for (const [host, entries] of byHost(log)) {
    let readAt = Number.POSITIVE_INFINITY;
    const closed = plan.sites.get(host)?.robots?.closed ?? false;
    for (const entry of entries) {
      if (entry.path === '/robots.txt') readAt = Math.min(readAt, endOf(entry));
      if (plan.isRobotsFile(host, entry.path)) continue;
      const rule = brokenRule(plan, entry, closed, readAt);
      if (rule) violations.push({ rule, host, request: entry.number, message: robotsMessage(entry, rule) });
    }
  }
  return violations;
}

function spacing(last: LogEntry, entry: LogEntry, neededMs: number, toleranceMs: number): Violation[] {
  const { host, number: request } = entry;
  const gapMs = entry.startedAt - endOf(last);
  if (gapMs < -toleranceMs) {
    const message = `${name(entry)} started while ${name(last)} was under way`;
    return [{ rule: 'overlap', host, request, message }];
  }
  if (gapMs >= neededMs - toleranceMs) return [];
  const message = `${name(entry)} started ${gapMs.toFixed(1)} ms after the end of ${name(last)}, not ${neededMs}`;
  return [{ rule: 'too-soon', host, request, message }];
}

function impatience(entry: LogEntry, retryAt: number): Violation {
  const early = (retryAt - entry.startedAt).toFixed(0);
  const message = `${name(entry)} came ${early} ms before the end of Retry-After`;
  return { rule: 'retry-after', host: entry.host, request: entry.number, message };
}

function brokenRule(
  plan: WebPlan,
  { host, path, startedAt }: LogEntry,
  closed: boolean,
  readAt: number,
): 'closed' | 'disallowed' | 'unread' | undefined {
  if (closed) return 'closed';
  if (plan.verdictOf(host, path) === 'disallowed') return 'disallowed';
  return startedAt < readAt ? 'unread' : undefined;
}

function robotsMessage(entry: LogEntry, rule: 'closed' | 'disallowed' | 'unread'): string {
  const why = {
    closed: 'although its robots.txt cannot be read',
    disallowed: 'although its robots.txt disallows it',
    unread: 'before its robots.txt had been read',
  }[rule];
  return `${name(entry)} was requested ${why}`;
}

function byHost(log: Iterable<LogEntry>): Map<string, LogEntry[]> {
  const hosts = Map.groupBy(log, ({ host }) => host);
  for (const entries of hosts.values())
    entries.sort((a, b) => a.startedAt - b.startedAt || a.number - b.number);
  return hosts;
}

function endOf({ finishedAt }: LogEntry): number {
  return finishedAt ?? Number.POSITIVE_INFINITY;
}

function name({ number, host, path }: LogEntry): string {
  return `#${number} ${host}${path}`;
}
