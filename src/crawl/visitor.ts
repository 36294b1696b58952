/**
 * What is done with the lease of a host: one request, for robots.txt if its rules are unknown or
 * stale, for the icon of the site if it is its turn, and for the next allowed URL otherwise. `intake.ts` says
 * what an answer leaves behind.
 *
 * A lease ends in `#release`, in the same breath as its result is recorded: the two are always in
 * one commit, so a host is never read back from disk with an older `nextFetchAt` than it has.
 */
import type { Clock, Log, Random } from '../base/mod.ts';
import type { Extractor } from '../page/mod.ts';
import { type CanonicalUrl, originOf, pathOf, type UrlRules } from '../url/mod.ts';
import { isWanted, type Trouble, troubleOf } from './answer.ts';
import type { CrawlLogLine } from './crawl-log.ts';
import type { CrawlProgress } from './crawl-progress.ts';
import type { CrawlState, HostRow, LastCapture, ReadyUrl, UrlResult, UrlState } from './crawl-state.ts';
import type { Wanted } from './exchange.ts';
import type { Fetcher, Response } from './fetcher.ts';
import type { Frontier } from './frontier.ts';
import { type HostQueue, rulesOf } from './host-queue.ts';
import { IconVisits } from './icon-visit.ts';
import type { Intake } from './intake.ts';
import type { MirrorHosts } from './mirror-hosts.ts';
import type { MissingPages } from './missing-pages.ts';
import { backoffMs, type PolitenessOptions, politeDelayMs } from './politeness.ts';
import type { Recorder, Visited } from './recorder.ts';
import { conditionsOf, settleFailure } from './revisits.ts';
import { fetchRobots, firstRobotsStep, type RobotsAnswer, type RobotsStep } from './robots-fetch.ts';
import { ALLOW_ALL, type RobotsOverrides } from './robots-overrides.ts';
import { robotsVerdict } from './robots-rules.ts';
import { forgottenIcon } from './site-icon.ts';
import { type BudgetOptions, pageBudget, type TrapDetectors } from './traps/mod.ts';

/** A URL that failed this often is given up. */
const MAX_ATTEMPTS = 4;
/** A host that failed this often in a row is set aside. */
const MAX_HOST_FAILURES = 5;
const SET_ASIDE_MS = 3_600_000;
/** A host that wants a longer pause or delay is set aside for that long; for a shorter one the crawl waits. */
const PATIENCE_MS = 120_000;
const MAX_PAUSE_MS = 24 * 3_600_000;

export interface VisitorOptions {
  state: CrawlState;
  fetcher: Fetcher;
  frontier: Frontier;
  recorder: Recorder;
  intake: Intake;
  traps: TrapDetectors;
  missing: MissingPages;
  mirrors: MirrorHosts;
  progress: CrawlProgress;
  urlRules: UrlRules;
  extractors: readonly Extractor[];
  robotsOverrides: RobotsOverrides;
  log: Log;
  clock: Clock;
  random: Random;
  politeness: PolitenessOptions;
  budget: BudgetOptions;
  productToken: string;
  /** Whether the icons of sites are wanted. */
  icons: boolean;
  /** Called when a host may be asked again. */
  onReleased(): void;
  /** Called when a host did not answer at all. */
  onUnreachable(origin: string, reason: string): void;
}

export class Visitor {
  readonly #options: VisitorOptions;
  readonly #icons: IconVisits;
  #abandoned = false;
  #readingCount = 0;

  constructor(options: VisitorOptions) {
    this.#options = options;
    this.#icons = new IconVisits(options);
  }

  /** Answers that are being read, while their hosts may be asked again. */
  get readingCount(): number {
    return this.#readingCount;
  }

  /** From now on nothing is recorded: requests that are cut off leave their URLs ready. */
  abandon(): void {
    this.#abandoned = true;
  }

  /** Uses the lease of `host` for one request and gives it back; for none if the host has had its budget. */
  async visit(host: HostQueue): Promise<void> {
    const budget = await this.#usedBudget(host.row);
    const isForIcon = this.#isForIcon(host, budget !== null);
    if (budget !== null && !isForIcon) {
      this.#setAside(host, budget);
      return this.#releaseAlone(host);
    }
    if (await this.#isBehindOthers(host)) return this.#release(host);
    const { robots } = host.row;
    if (this.#overrides(host)) host.rules = ALLOW_ALL;
    else if (!robots || robots.expiresAt <= this.#options.clock.now()) return this.#visitRobots(host);
    if (isForIcon) return this.#visitIcon(host);
    const absent = this.#options.missing.probeFor(host.row.origin, host.rules!);
    if (absent) return this.#visitAbsent(host, absent);
    const ready = this.#takeAllowed(host);
    if (ready) await this.#visitUrl(host, ready);
    else this.#release(host);
  }

  #isForIcon(host: HostQueue, hasAllPages: boolean): boolean {
    return host.isIconsTurn || (host.wantsIcon && (hasAllPages || this.#options.frontier.isKeptToIcons));
  }

  /** A host that is new is looked up first: another at its address may have been asked a moment ago. */
  async #isBehindOthers(host: HostQueue): Promise<boolean> {
    const { fetcher, frontier } = this.#options;
    if (host.row.address !== '') return false;
    const address = await fetcher.locate(host.row.origin);
    const opensAt = address === '' ? 0 : frontier.locate(host, address);
    if (opensAt > 0) host.row.nextFetchAt = opensAt;
    return opensAt > 0;
  }

  /** How many pages the host may have, if it has had them. */
  async #usedBudget(row: HostRow): Promise<number | null> {
    const { state, budget } = this.#options;
    if (row.fetched < budgetOf(row, budget)) return null;
    row.links = (await state.host(row.origin))?.links ?? row.links;
    const pages = budgetOf(row, budget);
    return row.fetched < pages ? null : pages;
  }

  /** Its budget may have grown when it is tried again. */
  #setAside({ row }: HostQueue, pages: number): void {
    row.setAside = `budget of ${pages} pages used`;
    row.nextFetchAt = this.#options.clock.now() + SET_ASIDE_MS;
  }

  /** Logged when it first matters for a host. */
  #overrides(host: HostQueue): boolean {
    const { origin } = host.row;
    const overridden = this.#options.robotsOverrides.includes(origin);
    if (overridden && host.rules !== ALLOW_ALL) this.#options.log.info('robots.txt overridden', { origin });
    return overridden;
  }

  async #visitRobots(host: HostQueue): Promise<void> {
    const { productToken, intake } = this.#options;
    const step = host.robotsStep ?? firstRobotsStep(host.row.origin);
    const answer = await this.#askRobots(host, step);
    if (this.#abandoned) return;
    if (answer === null) return this.#release(host);
    this.#logRobots(step.url, answer);
    host.robotsStep = answer.kind === 'moved' ? answer.next : null;
    if (answer.kind === 'known') {
      host.row.robots = answer.robots;
      host.rules = rulesOf(host.row, productToken);
      intake.takeSitemaps(host.rules?.sitemaps ?? [], host.row.origin);
      this.#answered(host, answer.elapsedMs);
    } else if (answer.kind === 'moved') {
      this.#answered(host, answer.elapsedMs);
    } else {
      host.row.robots = null;
      const reason = `robots.txt: ${answer.reason}`;
      this.#troubled(host, reason, answer.retryAfterMs, answer.setAside);
      this.#options.progress.refused(reason);
      if (answer.unreachable) {
        this.#options.onUnreachable(host.row.origin, answer.reason);
        return this.#releaseAlone(host);
      }
    }
    this.#release(host);
  }

  #logRobots(url: CanonicalUrl, answer: RobotsAnswer): void {
    const { status, bytes, elapsedMs: ms } = answer;
    const reason = answer.kind === 'unknown' ? answer.reason : answer.kind;
    const time = new Date(this.#options.clock.now()).toISOString();
    this.#options.recorder.logged({ time, url, status, state: 'robots', reason, bytes, ms });
  }

  /** Null when the file lies with another host that may not be asked now; the host waits for that. */
  async #askRobots(host: HostQueue, step: RobotsStep): Promise<RobotsAnswer | null> {
    const { fetcher, frontier, clock, politeness } = this.#options;
    const origin = originOf(step.url);
    if (frontier.areOne(origin, host.row.origin)) return fetchRobots(fetcher, step, clock);
    const opensAt = await frontier.enterAsGuest(origin);
    if (opensAt > 0) {
      host.row.nextFetchAt = opensAt;
      host.row.waitsFor = `its robots.txt is with ${origin}`;
      return null;
    }
    const answer = await fetchRobots(fetcher, step, clock);
    frontier.leaveAsGuest(origin, politeDelayMs(politeness, null, answer.elapsedMs));
    return answer;
  }

  /** The next URL that robots.txt allows; those that it does not are recorded as refused. */
  #takeAllowed(host: HostQueue): ReadyUrl | undefined {
    for (let ready = host.take(); ready; ready = host.take()) {
      const standIn = this.#options.mirrors.standIn(ready);
      const objection = standIn?.reason ?? this.#objection(host, ready);
      if (objection === null) return ready;
      const refused = this.#result(ready, 'refused', 0, objection);
      const result = settleFailure(refused, this.#options.state.lastCapture(ready.fingerprint));
      this.#options.recorder.visited({ host, result, ...standIn }, lineOf(ready.url, result, 0, 0));
      this.#options.progress.refused(objection.split(/:| line/, 1)[0]!);
    }
    return undefined;
  }

  /** Rules may have changed since the URL was queued, and more may be known of the host's traps. */
  #objection(host: HostQueue, { url, depth }: ReadyUrl): string | null {
    const { verb, rule } = this.#options.urlRules.decide(url, depth);
    if (verb === 'ignore') return `URL rule: ${rule}`;
    const { trap } = this.#options.traps.of(host.row.origin).assess(url);
    if (trap) return `trap: ${trap.kind} ${trap.pattern}`;
    const verdict = robotsVerdict(host.rules!.rules, pathOf(url));
    return verdict.allowed ? null : `robots.txt line ${verdict.rule!.line}`;
  }

  async #visitUrl(host: HostQueue, ready: ReadyUrl): Promise<void> {
    const { fetcher, clock, recorder, progress, state, extractors } = this.#options;
    const previous = state.lastCapture(ready.fingerprint);
    const wanted: Wanted = (status, type) => isWanted(ready.url, status, type, extractors);
    const outcome = await fetcher.fetch(ready.url, wanted, { headers: conditionsOf(previous) });
    if (this.#abandoned) return;
    host.row.fetched++;
    const trouble = troubleOf(outcome, clock.now());
    if (!trouble) return this.#read(host, ready, outcome as Response, previous);
    if (trouble.kind === 'refused' || (trouble.kind === 'failed' && !trouble.retry))
      this.#answered(host, outcome.elapsedMs);
    const visited = this.#noAnswer(host, ready, trouble, previous);
    if (outcome.kind === 'response') host.row.address = outcome.ipAddress;
    else if (outcome.kind === 'failed' && outcome.retry)
      this.#options.onUnreachable(host.row.origin, outcome.reason);
    recorder.visited(visited, lineOf(ready.url, visited.result, 0, outcome.elapsedMs));
    progress.troubled(trouble);
    this.#release(host);
  }

  /** The host may be asked again while its answer is read. */
  async #read(
    host: HostQueue,
    ready: ReadyUrl,
    response: Response,
    previous: LastCapture | null,
  ): Promise<void> {
    const { recorder, progress, intake } = this.#options;
    const { elapsedMs, ipAddress } = response;
    const sizeBytes = response.payload.length;
    this.#answered(host, elapsedMs);
    host.row.address = ipAddress;
    this.#readingCount++;
    this.#release(host);
    try {
      const taken = await intake.take(host, ready, response, previous);
      if (this.#abandoned) return;
      if ('result' in taken) {
        const isPage = taken.result.reason === 'page';
        if (isPage) host.row.useful++;
        recorder.visited(taken, lineOf(ready.url, taken.result, sizeBytes, elapsedMs));
        progress.fetched(isPage, sizeBytes);
      } else {
        const why = unreadable(response, taken.unreadable);
        const visited = this.#noAnswer(host, ready, why, previous);
        recorder.visited(visited, lineOf(ready.url, visited.result, 0, elapsedMs));
        progress.troubled(why);
      }
      recorder.hostChanged(host.row);
    } finally {
      this.#readingCount--;
    }
  }

  /** Asks for a page that cannot exist, to learn what the host shows in its place. */
  async #visitAbsent(host: HostQueue, url: CanonicalUrl): Promise<void> {
    const { fetcher, clock, recorder, progress, intake } = this.#options;
    const outcome = await fetcher.fetch(url, (status, type) => isWanted(url, status, type));
    if (this.#abandoned) return;
    const trouble = troubleOf(outcome, clock.now());
    const bytes = trouble ? 0 : (outcome as Response).payload.length;
    const reason = trouble?.kind ?? (await intake.takeAbsent(host.row.origin, url, outcome as Response));
    if (this.#abandoned) return;
    this.#received(host, trouble, outcome.elapsedMs);
    const { status } = trouble ?? (outcome as Response);
    const time = new Date(clock.now()).toISOString();
    recorder.logged({ time, url, status, state: 'probe', reason, bytes, ms: outcome.elapsedMs });
    progress.fetched(false, bytes);
    this.#release(host);
  }

  /** Asks for the icon of the site, or finds that there is none to be asked for. */
  async #visitIcon(host: HostQueue): Promise<void> {
    const { recorder, progress, clock, icons } = this.#options;
    if (!icons) host.keepIcon(forgottenIcon(host.row.icon!));
    const request = await this.#icons.ask(host);
    if (this.#abandoned) return;
    if (!request) return this.#release(host);
    const { url, outcome, trouble, isGuest } = request;
    const { elapsedMs } = outcome;
    const bytes = trouble ? 0 : (outcome as Response).payload.length;
    const { icon, picture, reason } = await this.#icons.take(host, request);
    if (this.#abandoned) return;
    host.keepIcon(icon);
    if (picture) recorder.archived(picture);
    if (isGuest) this.#answered(host, 0);
    else this.#received(host, trouble, elapsedMs);
    const { status } = trouble ?? (outcome as Response);
    const time = new Date(clock.now()).toISOString();
    recorder.logged({ time, url, status, state: 'icon', reason, bytes, ms: elapsedMs });
    progress.fetchedIcon(bytes);
    this.#release(host);
  }

  /** For an answer that is no page of the host's own: when it may be asked again. */
  #received(host: HostQueue, trouble: Trouble | null, elapsedMs: number): void {
    if (trouble?.kind === 'busy') this.#troubled(host, `HTTP ${trouble.status}`, trouble.retryAfterMs);
    else if (trouble?.kind === 'failed' && trouble.retry) this.#troubled(host, trouble.reason, null);
    else this.#answered(host, elapsedMs);
  }

  #noAnswer(host: HostQueue, ready: ReadyUrl, visit: Trouble, previous: LastCapture | null): Visited {
    if (visit.kind === 'refused') {
      const refused = this.#result(ready, 'refused', visit.status, visit.reason);
      return { host, result: settleFailure(refused, previous) };
    }
    const attempts = ready.attempts + 1;
    const reason = visit.kind === 'busy' ? `HTTP ${visit.status}` : visit.reason;
    const again = visit.kind === 'busy' || visit.retry;
    if (again && visit.kind === 'busy') this.#troubled(host, reason, visit.retryAfterMs);
    else if (again) this.#troubled(host, reason, null, visit.setAside);
    const state = again && attempts < MAX_ATTEMPTS ? 'ready' : 'failed';
    const result = { ...this.#result(ready, state, visit.status, reason), attempts };
    return { host, result: settleFailure(result, previous) };
  }

  #answered(host: HostQueue, elapsedMs: number): void {
    const { clock, politeness } = this.#options;
    const { row } = host;
    row.failures = 0;
    row.waitsFor = '';
    row.delayMs = politeDelayMs(politeness, host.rules?.crawlDelayMs ?? null, elapsedMs);
    row.setAside =
      row.delayMs > PATIENCE_MS ? `a delay of ${Math.round(row.delayMs / 1000)} s between requests` : '';
    row.nextFetchAt = clock.now() + row.delayMs;
  }

  #troubled(host: HostQueue, reason: string, retryAfterMs: number | null, isLasting = false): void {
    const { clock, politeness, random, state } = this.#options;
    const { row } = host;
    row.failures++;
    const asked = Math.min(retryAfterMs ?? backoffMs(row.failures, random), MAX_PAUSE_MS);
    const setAside = isLasting || row.failures >= MAX_HOST_FAILURES || asked > PATIENCE_MS;
    const pause = setAside ? Math.max(asked, SET_ASIDE_MS) : asked;
    row.setAside = setAside ? reason : '';
    row.waitsFor =
      retryAfterMs === null ? `${reason}, failure ${row.failures} in a row` : `Retry-After of ${reason}`;
    row.delayMs = politeDelayMs(politeness, host.rules?.crawlDelayMs ?? null, 0);
    row.nextFetchAt = clock.now() + Math.max(pause, row.delayMs);
    if (retryAfterMs !== null) state.pause(row.origin, row.nextFetchAt);
  }

  #release(host: HostQueue, groupWaitsUntil = host.row.nextFetchAt): void {
    this.#options.recorder.hostChanged(host.row);
    this.#options.frontier.release(host, groupWaitsUntil);
    this.#options.onReleased();
  }

  /** What keeps this origin waiting is no matter of others with its name: a port that is closed, a budget. */
  #releaseAlone(host: HostQueue): void {
    this.#release(host, this.#options.clock.now() + host.row.delayMs);
  }

  #result(ready: ReadyUrl, state: UrlState, status: number, reason: string): UrlResult {
    const { fingerprint, attempts } = ready;
    return { fingerprint, state, attempts, status, reason, fetchedAt: this.#options.clock.now() };
  }
}

function budgetOf({ links, fetched, useful }: HostRow, options: BudgetOptions): number {
  return pageBudget({ importance: 0, linkingDomains: links, fetched, useful }, options);
}

function lineOf(url: CanonicalUrl, result: UrlResult, bytes: number, ms: number): CrawlLogLine {
  const { status, state, reason } = result;
  return { time: new Date(result.fetchedAt).toISOString(), url, status, state, reason, bytes, ms };
}

function unreadable({ status }: Response, reason: string): Trouble {
  return { kind: 'failed', status, reason, retry: false };
}
