/**
 * Uses the lease of a host for one request: for robots.txt if its rules are unknown or stale, for the site's
 * icon if it is due, otherwise for the next allowed URL. `response-handler.ts` decides what a response leads
 * to.
 *
 * A lease ends in `#release`, synchronously with the recording of its result. The two are therefore always in
 * one commit, and a host is never read back from disk with an older `nextFetchAt` than it has.
 */
import type { Clock, Log, Random } from '../../base/mod.ts';
import type { Extractor } from '../../page/mod.ts';
import { type CanonicalUrl, originOf, pathOf, type UrlRules } from '../../url/mod.ts';
import type { CrawlLogLine } from '../crawl-log.ts';
import type { CrawlProgress } from '../crawl-progress.ts';
import {
  type Fetcher,
  isWanted,
  type Response,
  type ResponseTrouble,
  troubleOf,
  type Wanted,
} from '../fetch/mod.ts';
import {
  backoffMs,
  type Domains,
  type Frontier,
  type HostQueue,
  type PolitenessOptions,
  politeDelayMs,
  rulesOf,
} from '../frontier/mod.ts';
import type { MirrorHosts, MissingPages } from '../identity/mod.ts';
import type { Recorder, Visited } from '../recorder.ts';
import {
  ALLOW_ALL,
  describeRefusal,
  fetchRobots,
  firstRobotsStep,
  isFresh,
  type RobotsAnswer,
  type RobotsOverrides,
  type RobotsStep,
  robotsVerdict,
} from '../robots/mod.ts';
import { SlicedWork } from '../sliced-work.ts';
import {
  type CrawlState,
  forgottenIcon,
  type HostRow,
  type LastCapture,
  type ReadyUrl,
  type UrlResult,
  type UrlState,
} from '../state/mod.ts';
import { type BudgetOptions, pageBudget, type TrapDetectors } from '../traps/mod.ts';
import { IconVisits } from './icon-visit.ts';
import type { ParsingCosts } from './parsing-costs.ts';
import type { ResponseHandler, Unreadable } from './response-handler.ts';
import { type RevisitOptions, revisitConditionsOf, settleFailure } from './revisits.ts';

/** A URL fails for good after this many attempts. */
const MAX_ATTEMPTS = 4;
/** A host is parked after this many consecutive failures. */
const MAX_HOST_FAILURES = 5;
const SET_ASIDE_MS = 3_600_000;
/**
 * A host that needs a longer pause or delay than this is parked for that time; for a shorter one the crawl
 * waits.
 */
const PATIENCE_MS = 120_000;
const MAX_PAUSE_MS = 24 * 3_600_000;

interface VisitorOptions {
  state: CrawlState;
  fetcher: Fetcher;
  frontier: Frontier;
  recorder: Recorder;
  intake: ResponseHandler;
  costs: ParsingCosts;
  traps: TrapDetectors;
  domains: Domains;
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
  revisits: RevisitOptions;
  productToken: string;
  /** True to fetch the icons of sites. */
  icons: boolean;
  /** Called when a lease has ended. */
  onReleased(): void;
  /** Called when a host did not respond at all. */
  onUnreachable(origin: string, reason: string): void;
}

export class Visitor {
  readonly #options: VisitorOptions;
  readonly #icons: IconVisits;
  readonly #slices = new SlicedWork();
  #abandoned = false;
  #readingCount = 0;

  constructor(options: VisitorOptions) {
    this.#options = options;
    this.#icons = new IconVisits({ ...options, slices: this.#slices });
  }

  /** Number of responses being parsed whose hosts are no longer leased. */
  get readingCount(): number {
    return this.#readingCount;
  }

  /** From now on nothing is recorded: the URLs of aborted requests stay ready. */
  abandon(): void {
    this.#abandoned = true;
  }

  /**
   * Uses the lease of `host` for one request and gives it back. Sends none if the page budget is used up or
   * the host has to wait.
   */
  async visit(host: HostQueue): Promise<void> {
    if (this.#waitsForParsing(host)) return this.#releaseAlone(host);
    const budget = this.#usedBudget(host.row);
    const isForIcon = this.#isForIcon(host, budget !== null);
    if (budget !== null && !isForIcon) {
      this.#setAside(host, budget);
      return this.#releaseAlone(host);
    }
    if (await this.#isBehindOthers(host)) return this.#release(host);
    const { robots } = host.row;
    const isOverridden = this.#overrides(host);
    if (isOverridden) host.rules = ALLOW_ALL;
    host.rules ??= await rulesOf(host.row, this.#options.productToken, this.#slices);
    if (this.#abandoned) return;
    if (!isOverridden && (!robots || !isFresh(robots, this.#options.clock.now())))
      return this.#visitRobots(host);
    if (isForIcon) return this.#visitIcon(host);
    const absent = this.#options.missing.probeFor(host.row.origin, host.rules!);
    if (absent) return this.#visitAbsent(host, absent);
    const ready = await this.#slices.run(this.#takeAllowed(host));
    if (this.#abandoned) return;
    if (ready) await this.#visitUrl(host, ready);
    else this.#release(host);
  }

  /** Makes the host wait for the time its pages took to parse; parks a host whose pages ended their threads. */
  #waitsForParsing({ row }: HostQueue): boolean {
    const wait = this.#options.costs.waitOf(row.origin);
    if (wait.kind === 'none') return false;
    row.nextFetchAt = wait.untilMs;
    if (wait.kind === 'parked') row.parkedReason = wait.reason;
    else row.waitReason = wait.reason;
    return true;
  }

  #isForIcon(host: HostQueue, hasAllPages: boolean): boolean {
    return host.isIconsTurn || (host.wantsIcon && (hasAllPages || this.#options.frontier.isKeptToIcons));
  }

  /**
   * Resolves the address of a new host first, because another host at that address may just have had a
   * request.
   */
  async #isBehindOthers(host: HostQueue): Promise<boolean> {
    const { fetcher, frontier } = this.#options;
    if (host.row.address !== '') return false;
    const address = await fetcher.locate(host.row.origin);
    const opensAt = address === '' ? 0 : frontier.locate(host, address);
    if (opensAt > 0) host.row.nextFetchAt = opensAt;
    return opensAt > 0;
  }

  /** Returns which page budget is used up, the host's or its domain's; null if neither is. */
  #usedBudget(row: HostRow): string | null {
    const pages = this.#budgetOf(row);
    if (row.fetched >= pages) return `budget of ${pages} pages used`;
    const used = this.#options.domains.usedPages(row.origin);
    return used && `budget of ${used.pages} pages of the domain ${used.name} used`;
  }

  #budgetOf({ origin, fetched, useful }: HostRow): number {
    const { domains, traps, budget } = this.#options;
    const linkingDomains = domains.linkingDomains(origin);
    const isOpenEnded = traps.of(origin).isOpenEnded && !domains.isUnlimited(origin);
    return pageBudget({ importance: 0, linkingDomains, fetched, useful, isOpenEnded }, budget);
  }

  /** Parks the host; its budget may have grown when it is tried again. */
  #setAside({ row }: HostQueue, reason: string): void {
    row.parkedReason = reason;
    row.nextFetchAt = this.#options.clock.now() + SET_ASIDE_MS;
  }

  /** Logs the override when it first takes effect for a host. */
  #overrides(host: HostQueue): boolean {
    const { origin } = host.row;
    const overridden = this.#options.robotsOverrides.includes(origin);
    if (overridden && host.rules !== ALLOW_ALL) this.#options.log.info('robots.txt overridden', { origin });
    return overridden;
  }

  async #visitRobots(host: HostQueue): Promise<void> {
    const { productToken, intake, log } = this.#options;
    const step = host.robotsStep ?? firstRobotsStep(host.row.origin);
    const answer = await this.#askRobots(host, step);
    if (this.#abandoned) return;
    if (answer === null) return this.#release(host);
    this.#logRobots(step.url, answer);
    host.robotsStep = answer.kind === 'moved' ? answer.next : null;
    if (answer.kind === 'known') {
      host.row.robots = answer.robots;
      host.rules = await rulesOf(host.row, productToken, this.#slices);
      if (this.#abandoned) return;
      const rules = host.rules?.rules.simplifiedCount ?? 0;
      if (rules > 0) log.warn('robots.txt simplified', { origin: host.row.origin, rules });
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

  /** Returns null if robots.txt is on another host that may not get a request now; `host` then waits for it. */
  async #askRobots(host: HostQueue, step: RobotsStep): Promise<RobotsAnswer | null> {
    const { fetcher, frontier, clock, politeness } = this.#options;
    const origin = originOf(step.url);
    if (frontier.shareGroup(origin, host.row.origin)) return fetchRobots(fetcher, step, clock);
    const opensAt = await frontier.reserveForeignRequest(origin);
    if (opensAt > 0) {
      host.row.nextFetchAt = opensAt;
      host.row.waitReason = `its robots.txt is with ${origin}`;
      return null;
    }
    const answer = await fetchRobots(fetcher, step, clock);
    frontier.leaveAsGuest(origin, politeDelayMs(politeness, null, answer.elapsedMs));
    return answer;
  }

  /** Takes the next URL that robots.txt allows, and records disallowed ones as refused. One URL per step. */
  *#takeAllowed(host: HostQueue): Generator<void, ReadyUrl | undefined> {
    for (let ready = host.take(); ready; ready = host.take()) {
      if (this.#abandoned) return undefined;
      const substitute = this.#options.mirrors.mirrorSubstitute(ready);
      const objection = substitute?.reason ?? this.#objection(host, ready);
      if (objection === null) return ready;
      const refused = this.#result(ready, 'refused', 0, objection);
      const result = settleFailure(refused, this.#options.state.lastCapture(ready.fingerprint));
      this.#options.recorder.visited({ host, result, ...substitute }, lineOf(ready.url, result, 0, 0));
      this.#options.progress.refused(objection.split(/:| line/, 1)[0]!);
      yield;
    }
    return undefined;
  }

  /** Checks the URL again: the rules may have changed since it was queued, and more traps may be known. */
  #objection(host: HostQueue, { url, depth }: ReadyUrl): string | null {
    const { verb, rule } = this.#options.urlRules.decide(url, depth);
    if (verb === 'ignore') return `URL rule: ${rule}`;
    const { trap } = this.#options.traps.of(host.row.origin).assess(url);
    if (trap) return `trap: ${trap.kind} ${trap.pattern}`;
    const verdict = robotsVerdict(host.rules!.rules, pathOf(url));
    return verdict.allowed ? null : describeRefusal(verdict);
  }

  async #visitUrl(host: HostQueue, ready: ReadyUrl): Promise<void> {
    const { fetcher, clock, recorder, progress, state, extractors } = this.#options;
    const previous = state.lastCapture(ready.fingerprint);
    const wanted: Wanted = (status, type) => isWanted(ready.url, status, type, extractors);
    const outcome = await fetcher.fetch(ready.url, wanted, { headers: revisitConditionsOf(previous) });
    if (this.#abandoned) return;
    // A budget limits pages, not visits; a revisited page was counted at its first visit.
    if (previous === null) host.row.fetched++;
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

  /** Releases the host while its response is parsed, unless the response goes to the slow lane. */
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
    const isSlow = intake.isSlow(ready.url, response);
    if (!isSlow) {
      this.#readingCount++;
      this.#release(host);
    }
    try {
      const taken = await intake.take(host, ready, response, previous);
      if (this.#abandoned) return;
      if ('result' in taken) {
        const isPage = taken.result.reason === 'page';
        if (isPage && previous === null) host.row.useful++;
        recorder.visited(taken, lineOf(ready.url, taken.result, sizeBytes, elapsedMs));
        progress.fetched(isPage, sizeBytes);
      } else {
        const why = troubleOfParsing(response, taken.unreadable);
        // Without a lease the host cannot be made to wait; if it is parked, it waits anyway.
        const visited =
          taken.unreadable.kind === 'refused' && !isSlow
            ? { host, result: this.#result(ready, 'ready', 0, why.reason) }
            : this.#noAnswer(host, ready, why, this.#rested(previous, taken.unreadable));
        recorder.visited(visited, lineOf(ready.url, visited.result, 0, elapsedMs));
        progress.troubled(why);
      }
      recorder.hostChanged(host.row);
    } finally {
      if (!isSlow) this.#readingCount--;
      else if (!this.#abandoned) this.#release(host);
    }
  }

  /** After a page ended its thread, waits for the longest revisit interval before the next try. */
  #rested(previous: LastCapture | null, { kind }: Unreadable): LastCapture | null {
    return previous && kind === 'died' ? { ...previous, intervalMs: this.#options.revisits.maxMs } : previous;
  }

  /** Requests a URL that cannot exist, to learn what the host sends for missing pages. */
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

  /** Requests the site's icon, or finds that there is none to request. */
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

  /** Sets the host's next moment after a response that is not one of its pages. */
  #received(host: HostQueue, trouble: ResponseTrouble | null, elapsedMs: number): void {
    if (trouble?.kind === 'busy') this.#troubled(host, `HTTP ${trouble.status}`, trouble.retryAfterMs);
    else if (trouble?.kind === 'failed' && trouble.retry) this.#troubled(host, trouble.reason, null);
    else this.#answered(host, elapsedMs);
  }

  #noAnswer(host: HostQueue, ready: ReadyUrl, visit: ResponseTrouble, previous: LastCapture | null): Visited {
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
    row.waitReason = '';
    row.delayMs = politeDelayMs(politeness, host.rules?.crawlDelayMs ?? null, elapsedMs);
    row.parkedReason =
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
    row.parkedReason = setAside ? reason : '';
    row.waitReason =
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

  /**
   * Releases without delaying other origins of the group: a closed port or a used budget concerns only this
   * one.
   */
  #releaseAlone(host: HostQueue): void {
    this.#release(host, this.#options.clock.now() + host.row.delayMs);
  }

  #result(ready: ReadyUrl, state: UrlState, status: number, reason: string): UrlResult {
    const { fingerprint, attempts } = ready;
    return { fingerprint, state, attempts, status, reason, fetchedAt: this.#options.clock.now() };
  }
}

function lineOf(url: CanonicalUrl, result: UrlResult, bytes: number, ms: number): CrawlLogLine {
  const { status, state, reason } = result;
  return { time: new Date(result.fetchedAt).toISOString(), url, status, state, reason, bytes, ms };
}

/** A page refused only for lack of room is retried after its host has waited. */
function troubleOfParsing(
  { status }: Response,
  { kind, reason }: Unreadable,
): Extract<ResponseTrouble, { kind: 'failed' }> {
  return { kind: 'failed', status, reason, retry: kind === 'refused' };
}
