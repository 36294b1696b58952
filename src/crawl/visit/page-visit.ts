import type { Extractor } from '../../page/mod.ts';
import { type CanonicalUrl, pathOf } from '../../url/mod.ts';
import type { CrawlLogLine } from '../crawl-log.ts';
import { describeUrlReason } from '../describe-wait.ts';
import { isWanted, type Response, type ResponseTrouble, troubleOf, type Wanted } from '../fetch/mod.ts';
import type { HostQueue } from '../frontier/mod.ts';
import type { MirrorHosts, MirrorSubstitute } from '../identity/mod.ts';
import type { Visited } from '../recorder.ts';
import { robotsVerdict } from '../robots/mod.ts';
import type { CrawlState, LastCapture, ReadyUrl, UrlReason, UrlResult, UrlState } from '../state/mod.ts';
import type { TrapDetectors } from '../traps/mod.ts';
import { hostFailureOf, reasonOfTrouble } from './host-leases.ts';
import type { AllowedUrl, Unreadable } from './response-handler.ts';
import type { RevisitOptions, RevisitSchedule } from '../schedule/mod.ts';
import { revisitConditionsOf, type SettledVisit, scheduleVisit, settleFailure } from './revisits.ts';
import type { VisitServices } from './visit-services.ts';

/** Number of attempts after which a URL fails permanently. */
const MAX_ATTEMPTS = 4;

interface PageVisitOptions {
  state: CrawlState;
  traps: TrapDetectors;
  mirrors: MirrorHosts;
  extractors: readonly Extractor[];
  revisits: RevisitOptions;
  schedule: RevisitSchedule;
  /** Returns the importance of a URL relative to an average page. */
  importanceOf(fingerprint: bigint): number;
}

interface Refusal {
  kind: 'refused';
  by: 'removal' | 'URL rule' | 'trap' | 'robots.txt' | 'mirror';
  reason: UrlReason;
}

/** The result of checking, directly before a request, whether the URL may be requested. */
type UrlCheck = { kind: 'allowed'; isIndexed: boolean } | Refusal;

interface CheckedUrls {
  refused: { ready: ReadyUrl; check: Refusal }[];
  /** The first URL that was not refused; null if the queue is empty. */
  next: { ready: ReadyUrl; check: UrlCheck | null } | null;
}

export class PageVisits {
  readonly #services: VisitServices;
  readonly #options: PageVisitOptions;
  #parsingCount = 0;

  constructor(services: VisitServices, options: PageVisitOptions) {
    this.#services = services;
    this.#options = options;
  }

  /** Number of responses that are being parsed although their hosts are already released. */
  get parsingCount(): number {
    return this.#parsingCount;
  }

  /**
   * Sends a request for one page of a leased host, then releases the host. Sends no request if no queued URL is
   * allowed.
   */
  async visit(host: HostQueue): Promise<void> {
    const { leases } = this.#services;
    const allowed = await this.#takeAllowed(host);
    if (leases.isAbandoned) return;
    if (allowed) await this.#fetch(host, allowed);
    else leases.release(host);
  }

  /** Takes the next URL that may be requested from the queue. Records the URLs before it as refused. */
  async #takeAllowed(host: HostQueue): Promise<AllowedUrl | null> {
    const { leases, slices } = this.#services;
    for (;;) {
      const { refused, next } = await slices.run(this.#checkUrls(host));
      for (const { ready, check } of refused) await this.#refused(host, ready, check);
      if (next === null || leases.isAbandoned) return null;
      const { ready } = next;
      const substitute = next.check ? null : await this.#options.mirrors.mirrorSubstitute(ready);
      const check = next.check ?? (substitute ? refusedBy(substitute) : this.#check(host, ready));
      if (check.kind === 'allowed') return { ready, isIndexed: check.isIndexed };
      await this.#refused(host, ready, check, substitute);
    }
  }

  /**
   * Takes URLs from the queue until one is allowed, or is on a mirror and has to be checked by the caller. Each step
   * checks one URL.
   */
  *#checkUrls(host: HostQueue): Generator<void, CheckedUrls> {
    const { leases } = this.#services;
    const refused: CheckedUrls['refused'] = [];
    for (let ready = host.take(); ready && !leases.isAbandoned; ready = host.take()) {
      const isRemoved = this.#services.removed.matches(ready.url);
      if (!isRemoved && this.#options.mirrors.isOnMirror(ready.url))
        return { refused, next: { ready, check: null } };
      const check = this.#check(host, ready);
      if (check.kind === 'allowed') return { refused, next: { ready, check } };
      refused.push({ ready, check });
      yield;
    }
    return { refused, next: null };
  }

  async #refused(
    host: HostQueue,
    ready: ReadyUrl,
    check: Refusal,
    substitute: MirrorSubstitute | null = null,
  ): Promise<void> {
    const { leases, recorder, progress } = this.#services;
    const last = await this.#options.state.lastCapture(ready.fingerprint);
    const result = settleFailure(this.#result(ready, 'refused', 0, check.reason), last);
    const visited: Visited = { host, result };
    if (substitute) {
      visited.derivedRecords = substitute.derivedRecords;
      visited.links = substitute.links;
      await recorder.discovered(substitute.links, ready.url);
    }
    if (leases.isAbandoned) return;
    recorder.visited(visited, lineOf(ready.url, result, 0, 0));
    progress.refused(check.by);
  }

  /**
   * Decides whether a URL may be requested. The URL rules are applied only if the decision at its discovery no longer
   * counts.
   */
  #check(host: HostQueue, { url, depth, verb: decided }: ReadyUrl): UrlCheck {
    if (this.#services.removed.matches(url))
      return { kind: 'refused', by: 'removal', reason: { code: 'removed' } };
    const { verb, rule } = decided ? { verb: decided, rule: '' } : this.#services.urlRules.decide(url, depth);
    if (verb === 'ignore') return { kind: 'refused', by: 'URL rule', reason: { code: 'url-rule', rule } };
    const { trap } = this.#options.traps.of(host.origin).assess(url);
    if (trap) {
      const { kind, pattern } = trap;
      return { kind: 'refused', by: 'trap', reason: { code: 'trap', kind, pattern } };
    }
    const verdict = robotsVerdict(host.rules!.rules, pathOf(url));
    if (!verdict.allowed) {
      const reason: UrlReason = { code: 'robots', line: verdict.rule?.line ?? null };
      return { kind: 'refused', by: 'robots.txt', reason };
    }
    return { kind: 'allowed', isIndexed: verb === 'index' };
  }

  async #fetch(host: HostQueue, allowed: AllowedUrl): Promise<void> {
    const { ready } = allowed;
    const { fetcher, clock, recorder, progress, leases, onUnreachable } = this.#services;
    const { state, extractors } = this.#options;
    const previous = await state.lastCapture(ready.fingerprint);
    if (leases.isAbandoned) return;
    const wanted: Wanted = (status, type) => isWanted(ready.url, status, type, extractors);
    const outcome = await fetcher.fetch(ready.url, wanted, { headers: revisitConditionsOf(previous) });
    if (leases.isAbandoned) return;
    if (outcome.kind !== 'failed') progress.responded(outcome.status);
    // Only the first visit of a URL counts towards the page budget, not its revisits.
    if (isFirstVisit(previous)) host.pageRequested();
    const trouble = troubleOf(outcome, clock.now());
    if (!trouble) return this.#parse(host, allowed, outcome as Response, previous);
    if (trouble.kind === 'refused' || (trouble.kind === 'failed' && !trouble.retry))
      leases.responded(host, outcome.elapsedMs);
    const visited = await this.#failed(host, ready, trouble, previous);
    if (leases.isAbandoned) return;
    if (outcome.kind === 'response') host.located(outcome.ipAddress);
    else if (outcome.kind === 'failed' && outcome.retry) onUnreachable(host.origin, outcome.reason);
    recorder.visited(visited, lineOf(ready.url, visited.result, 0, outcome.elapsedMs));
    progress.troubled(describeUrlReason(visited.result.reason));
    leases.release(host);
  }

  /** Parses a response. The host is released during parsing, unless the response goes to the slow lane. */
  async #parse(
    host: HostQueue,
    allowed: AllowedUrl,
    response: Response,
    previous: LastCapture | null,
  ): Promise<void> {
    const { ready } = allowed;
    const { responseHandler, leases } = this.#services;
    leases.responded(host, response.elapsedMs);
    host.located(response.ipAddress);
    // The size is read here because the payload is moved to the parser, which leaves an empty buffer.
    const sizeBytes = response.payload.length;
    const isSlow = responseHandler.isSlow(ready.url, response);
    if (!isSlow) {
      this.#parsingCount++;
      leases.release(host);
    }
    try {
      const taken = await responseHandler.take(host, allowed, response, previous);
      if (leases.isAbandoned) return;
      if ('result' in taken)
        await this.#parsed(taken, ready, { sizeBytes, elapsedMs: response.elapsedMs }, previous);
      else await this.#unreadable(host, ready, response, previous, taken.unreadable, isSlow);
    } finally {
      if (!isSlow) this.#parsingCount--;
      else if (!leases.isAbandoned) leases.release(host);
    }
  }

  async #parsed(
    settled: SettledVisit,
    ready: ReadyUrl,
    { sizeBytes, elapsedMs }: { sizeBytes: number; elapsedMs: number },
    previous: LastCapture | null,
  ): Promise<void> {
    const { recorder, progress, leases } = this.#services;
    const newLinks = settled.links ? await recorder.discovered(settled.links, ready.url) : 0;
    if (leases.isAbandoned) return;
    const { schedule, revisits, importanceOf } = this.#options;
    if (settled.listed) recorder.hinted(schedule.readList(ready.url, settled.listed.pages, previous));
    const importance = importanceOf(ready.fingerprint);
    const visited = scheduleVisit(settled, { schedule, revisits, newLinks, importance, previous });
    const isPage = visited.result.reason.code === 'page';
    if (isPage && isFirstVisit(previous) && !visited.isCopy) visited.host.pageFound();
    recorder.visited(visited, lineOf(ready.url, visited.result, sizeBytes, elapsedMs));
    recorder.hostChanged(visited.host.snapshot());
    progress.fetched(isPage, sizeBytes);
  }

  async #unreadable(
    host: HostQueue,
    ready: ReadyUrl,
    { status, elapsedMs }: Response,
    previous: LastCapture | null,
    { kind, reason }: Unreadable,
    isLeased: boolean,
  ): Promise<void> {
    const { recorder, progress } = this.#services;
    const { revisits } = this.#options;
    // A page that was refused because the parser queue is full is retried after its host has waited.
    const trouble = { kind: 'failed' as const, status, reason, retry: kind === 'refused' };
    // A page that crashed its parser thread is tried again after the longest revisit interval.
    const kept = previous && kind === 'died' ? { ...previous, intervalMs: revisits.maxMs } : previous;
    // If the host of a refused page is already released, the URL only becomes ready again, because this visit can no
    // longer make the host wait.
    const visited =
      kind === 'refused' && !isLeased
        ? { host, result: this.#result(ready, 'ready', 0, { code: 'unreadable', cause: reason }) }
        : await this.#failed(host, ready, trouble, kept);
    recorder.visited(visited, lineOf(ready.url, visited.result, 0, elapsedMs));
    recorder.hostChanged(host.snapshot());
    progress.troubled(describeUrlReason(visited.result.reason));
  }

  /** Returns the result of a visit without a parsed response. If a retry may succeed, the host has to wait. */
  async #failed(
    host: HostQueue,
    ready: ReadyUrl,
    trouble: ResponseTrouble,
    previous: LastCapture | null,
  ): Promise<Visited> {
    const { leases } = this.#services;
    if (trouble.kind === 'refused') {
      const refused = this.#result(ready, 'refused', trouble.status, reasonOfTrouble(trouble));
      return { host, result: settleFailure(refused, previous) };
    }
    const attempts = ready.attempts + 1;
    const reason = reasonOfTrouble(trouble);
    const isPassing = trouble.kind === 'busy' || trouble.retry;
    const failed = { request: 'page' as const, failure: hostFailureOf(trouble) };
    if (trouble.kind === 'busy') await leases.failed(host, { ...failed, retryAfterMs: trouble.retryAfterMs });
    else if (isPassing) await leases.failed(host, { ...failed, isLasting: trouble.isLasting ?? false });
    const state = isPassing && attempts < MAX_ATTEMPTS ? 'ready' : 'failed';
    const result = { ...this.#result(ready, state, trouble.status, reason), attempts };
    return { host, result: settleFailure(result, previous) };
  }

  #result(ready: ReadyUrl, state: UrlState, status: number, reason: UrlReason): UrlResult {
    const { fingerprint, attempts } = ready;
    return { fingerprint, state, attempts, status, reason, fetchedAt: this.#services.clock.now() };
  }
}

/** The target of a redirect may have the history of another URL without having been fetched. */
function isFirstVisit(previous: LastCapture | null): boolean {
  return previous === null || previous.summary.code === 'moved';
}

function refusedBy({ reason }: MirrorSubstitute): Refusal {
  return { kind: 'refused', by: 'mirror', reason };
}

function lineOf(url: CanonicalUrl, result: UrlResult, bytes: number, ms: number): CrawlLogLine {
  const { status, state, reason } = result;
  const time = new Date(result.fetchedAt).toISOString();
  return { time, url, status, state, reason: describeUrlReason(reason), bytes, ms };
}
