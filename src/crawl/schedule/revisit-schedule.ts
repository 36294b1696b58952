/**
 * Decides when a fetched URL is visited again.
 *
 *   visit -> what it found -> belief about the rate of changes and of new links  (change-rate.ts)
 *                                   | before the first revisit: the prior of the site (shared-rates.ts)
 *   price of a visit (price-book.ts) + belief + importance -> interval (interval.ts) -> due
 *
 * All that is known about a URL is its `VisitHistory`, which is stored with the URL; what is known about its host is a
 * host note; the price is stored in the marks of a commit. Therefore a restart changes nothing.
 *
 * The settings `crawl.revisitMin`, `crawl.revisitMax` and `crawl.revisitPolicies` bound the intervals, and
 * `crawl.revisitsPerDay` is the choice between freshness and coverage: the average number of visits per URL and day.
 */
import { BoundedCache, type Clock, DAY_MS } from '../../base/mod.ts';
import { type CanonicalUrl, fingerprint, originOf } from '../../url/mod.ts';
import type { ChangeHint, HostNote, LastCapture, NoteKind, VisitHistory } from '../state/mod.ts';
import { patternOf, shapeOf } from '../traps/mod.ts';
import { meanRate, type RateBelief, sawChange, sawChangeAt, sawEvents, sawNoChange } from './change-rate.ts';
import { bestDays, type RevisitNeeds } from './interval.ts';
import { PriceBook } from './price-book.ts';
import { parseRevisitPolicy, type RevisitedKind, type RevisitPolicy } from './revisit-policies.ts';
import {
  countClaim,
  countHint,
  countRate,
  isInformed,
  isTrusted,
  newSharedRates,
  noSums,
  priorOf,
  type RateSums,
  type SharedRates,
} from './shared-rates.ts';

export interface RevisitOptions {
  /** The first revisit interval (`firstMs`) of a page of a site about which nothing is known. */
  firstMs: number;
  /** The limits of the intervals of all pages that no policy covers. */
  minMs: number;
  maxMs: number;
  /** The average number of visits of a known URL per day that all URLs together may need. */
  visitsPerDay: number;
  /** Policies as sentences (revisit-policies.ts). */
  policies: readonly string[];
}

/** The findings of a visit that the schedule needs. */
export interface VisitFindings {
  url: CanonicalUrl;
  visitedAt: number;
  kind: RevisitedKind;
  /** True if the URL is a document that searches find. */
  isDocument: boolean;
  /** Importance of the URL relative to an average one. */
  importance: number;
  /** The history before this visit; null at the first visit. */
  history: VisitHistory | null;
  /** True if the text has changed since the last visit; null if there is nothing to compare. */
  hasChanged: boolean | null;
  /** Time of the last change according to the server, from `Last-Modified`; 0 if unknown. */
  modifiedAt: number;
  /** Number of links to the same host that were not known before. */
  newLinks: number;
  /** Number of new links per day that the dates of a feed show; 0 if it has none. */
  datedLinksPerDay: number;
  /** True if a sitemap or feed said since the last visit that the URL has changed. */
  isHinted: boolean;
}

/** Reads and keeps host notes. */
interface Notes {
  notesOf(origins: readonly string[], kind: NoteKind): Promise<HostNote[]>;
  keepNote(note: HostNote): void;
}

interface ScheduleOptions extends RevisitOptions {
  notes: Notes;
  clock: Clock;
}

/** A page in a sitemap or feed, with the time of its last change and how often it changes (`changefreq`). */
interface ListedPage {
  url: CanonicalUrl;
  modifiedAt?: number;
  changes?: string;
}

/** The rates that a sitemap claims for a page (`changefreq`), in changes per day. */
const CLAIMED_RATES: Readonly<Record<string, number>> = {
  always: 48,
  hourly: 24,
  daily: 1,
  weekly: 1 / 7,
  monthly: 1 / 30,
  yearly: 1 / 365,
  never: 1 / 1000,
};

const MAX_CLAIM = 48;
const MAX_HOSTS = 4096;
/** A page is counted for its site after this number of revisits. */
const COUNTED_VISITS = 3;
/** A new link on a list of the site counts like a stale page. A new item of a feed is news, and counts much more. */
const LINK_WEIGHTS: Record<RevisitedKind, number> = { page: 1, sitemap: 4, feed: 400 };
/** Pages that are not documents are visited for their links, and because they may become documents. */
const HIDDEN_WEIGHT = 0.2;
/** The belief about new links of a list before its second visit. */
const NO_LINKS: RateBelief = { shape: 0.02, days: 1 };
/** `Last-Modified` says when a page changed only if it is older than this; some servers send the current time. */
const MIN_AGE_MS = 60_000;
/** The price is stored after this number of moves. */
const SAVED_MOVES = 256;

/** Policies that follow those of the operator. */
const DEFAULT_POLICIES = ['feeds between 5m and 1d', 'sitemaps between 1h and 7d'].map(parseRevisitPolicy);

export class RevisitSchedule {
  readonly #options: ScheduleOptions;
  readonly #policies: readonly RevisitPolicy[];
  readonly #hosts = BoundedCache.ofEntries<string, SharedRates>(MAX_HOSTS);
  readonly #book: PriceBook;
  #all: RateSums = noSums();

  constructor(options: ScheduleOptions) {
    this.#options = options;
    this.#book = new PriceBook(options.visitsPerDay);
    this.#policies = [...options.policies.map(parseRevisitPolicy), ...DEFAULT_POLICIES];
  }

  /** Reads the price that an earlier run has stored. */
  restore(stored: string | null): void {
    if (stored === null) return;
    const { book, all } = JSON.parse(stored) as { book: string; all: RateSums };
    this.#book.decode(book);
    this.#all = all;
  }

  /** Returns the text to store with the next commit; null if the stored one is recent enough. */
  save(isLast: boolean): string | null {
    const unsaved = this.#book.unsavedMoves;
    if (unsaved === 0 || (unsaved < SAVED_MOVES && !isLast)) return null;
    return JSON.stringify({ book: this.#book.encode(), all: this.#all });
  }

  /** True if the notes about the host are in memory. */
  has(origin: string): boolean {
    return this.#hosts.peek(origin) !== undefined;
  }

  async load(origin: string): Promise<void> {
    const [note] = await this.#options.notes.notesOf([origin], 'changes');
    if (!this.has(origin))
      this.#hosts.set(origin, note ? (JSON.parse(note.value) as SharedRates) : newSharedRates());
  }

  /** Returns the history of a URL after a visit, and the interval until the next one. */
  settle(findings: VisitFindings): { history: VisitHistory; intervalMs: number } {
    const { url, visitedAt, kind, history } = findings;
    const origin = originOf(url);
    const shared = this.#sharedOf(origin);
    const pattern = patternOf(shapeOf(url));
    const isNew = history === null || history.revisits === 0;
    const known = isNew ? priorOf(this.#all, shared, pattern) : history.changes;
    const days = history ? Math.max(visitedAt - history.visitedAt, 1) / DAY_MS : 0;
    const isCompared = history !== null && findings.hasChanged !== null;
    const changes = isCompared ? beliefAfter(known, findings, days) : known;
    const revisits = (history?.revisits ?? 0) + (isCompared ? 1 : 0);
    const links = linksAfter(findings, days);
    const { policy, needs } = this.#needsOf(findings, changes, links);
    const next: VisitHistory = {
      ...{ kind, visitedAt, revisits, changes, links },
      counted: this.#count(origin, shared, pattern, { findings, changes, revisits, isCompared }),
      class: this.#book.move(history?.class ?? '', needs),
    };
    const wantedMs = bestDays(needs, this.#book.price) * DAY_MS;
    const isGuess = isNew && !isCompared && kind === 'page' && !isInformed(shared, pattern);
    const limitMs = isGuess
      ? Math.max(policy.minMs, Math.min(this.#options.firstMs, policy.maxMs))
      : policy.maxMs;
    return { history: next, intervalMs: Math.min(wantedMs, limitMs) };
  }

  /** Returns the sentence of the policy for a URL. */
  policyOf(kind: RevisitedKind, url: CanonicalUrl): Omit<RevisitPolicy, 'covers'> {
    const { minMs, maxMs } = this.#options;
    const sentence = 'pages between crawl.revisitMin and crawl.revisitMax';
    return (
      this.#policies.find((policy) => policy.covers(kind, url)) ?? { sentence, minMs, maxMs, importance: 1 }
    );
  }

  /** Forgets a URL that is never visited again. */
  dropped(history: VisitHistory | null): void {
    if (history) this.#book.move(history.class, null);
  }

  /**
   * Reads what a sitemap or feed says about pages of its own host. Keeps how often they change, and returns those that
   * have changed since the last visit of the list.
   */
  readList(list: CanonicalUrl, pages: readonly ListedPage[], previous: LastCapture | null): ChangeHint[] {
    const origin = originOf(list);
    const shared = this.#sharedOf(origin);
    const now = this.#options.clock.now();
    const sinceMs = (previous?.history?.visitedAt ?? now) - DAY_MS;
    const hints: ChangeHint[] = [];
    const trusted = isTrusted(shared.changed);
    for (const { url, modifiedAt = 0, changes = '' } of pages) {
      if (originOf(url) !== origin) continue;
      const isPast = modifiedAt > 0 && modifiedAt < now;
      const rate = CLAIMED_RATES[changes] ?? (isPast ? DAY_MS / (now - modifiedAt) : 0);
      if (rate > 0) countClaim(shared, patternOf(shapeOf(url)), Math.log(Math.min(rate, MAX_CLAIM)));
      if (isPast && previous && modifiedAt > sinceMs)
        hints.push({ fingerprint: fingerprint(url), modifiedAt, isTrusted: trusted });
    }
    this.#keep(origin, shared);
    return hints;
  }

  #needsOf(
    { url, kind, isDocument, importance }: VisitFindings,
    changes: RateBelief,
    links: RateBelief,
  ): { policy: Omit<RevisitPolicy, 'covers'>; needs: RevisitNeeds } {
    const policy = this.policyOf(kind, url);
    const weight = importance * policy.importance;
    const needs = {
      rate: meanRate(changes),
      weight: isDocument ? weight : weight * HIDDEN_WEIGHT,
      linkRate: meanRate(links),
      linkWeight: LINK_WEIGHTS[kind] * weight,
      minDays: policy.minMs / DAY_MS,
      maxDays: policy.maxMs / DAY_MS,
    };
    return { policy, needs };
  }

  /** Counts the rate of a page for its site, and the hint about this visit. */
  #count(
    origin: string,
    shared: SharedRates,
    pattern: string,
    visit: { findings: VisitFindings; changes: RateBelief; revisits: number; isCompared: boolean },
  ): number | null {
    const { findings, changes, revisits, isCompared } = visit;
    const before = findings.history?.counted ?? null;
    if (!isCompared || findings.kind !== 'page') return before;
    if (findings.isHinted) countHint(shared.changed, findings.hasChanged === true);
    if (revisits < COUNTED_VISITS) {
      if (findings.isHinted) this.#keep(origin, shared);
      return before;
    }
    const logRate = Math.log(meanRate(changes));
    countRate(this.#all, shared, pattern, before, logRate);
    this.#keep(origin, shared);
    return logRate;
  }

  #keep(origin: string, shared: SharedRates): void {
    const { notes, clock } = this.#options;
    notes.keepNote({ origin, kind: 'changes', value: JSON.stringify(shared), notedAt: clock.now() });
  }

  #sharedOf(origin: string): SharedRates {
    const known = this.#hosts.get(origin);
    if (known) return known;
    const shared = newSharedRates();
    this.#hosts.set(origin, shared);
    return shared;
  }
}

function beliefAfter(known: RateBelief, findings: VisitFindings, days: number): RateBelief {
  const { hasChanged, modifiedAt, visitedAt } = findings;
  if (!hasChanged) return sawNoChange(known, days);
  const ageMs = visitedAt - modifiedAt;
  const isDated = modifiedAt > 0 && ageMs > MIN_AGE_MS && ageMs < days * DAY_MS;
  return isDated ? sawChangeAt(known, ageMs / DAY_MS) : sawChange(known, days);
}

function linksAfter(findings: VisitFindings, days: number): RateBelief {
  const { history, newLinks, datedLinksPerDay } = findings;
  if (history) return sawEvents(history.links, newLinks, days);
  return datedLinksPerDay > 0 ? { shape: datedLinksPerDay, days: 1 } : NO_LINKS;
}
