/**
 * A feature with pages that change at known times. Version v of a page is valid from v·period - phase until
 * the next version, by the server's clock, and contains a word that no other version has (`versionWord`).
 *
 *   content    the text changes; the page has ETag and Last-Modified, and a conditional request gets 304
 *   bare       the text changes; the page has neither ETag nor Last-Modified
 *   cosmetic   the text stays; a comment that counts requests makes the bytes differ every time
 *   dated      the content stays; it shows the present date and time, and a number of views
 *   advertised the content stays; the page has other advertisements every time, below it and in a side bar
 *   never      nothing changes; the page has ETag and Last-Modified
 */
import {
  type Document,
  dealPages,
  type FeatureContext,
  type FeaturePart,
  featurePageOf,
  paragraphsOf,
  randomFor,
  range,
} from '../feature.ts';
import { htmlResponse, type Place, type Visit, type WebResponse } from '../site.ts';

const PAGES_PER_HOST = 20;
const PERIOD_FACTORS = [1, 4, 16, 64];
const KINDS = ['content', 'bare', 'cosmetic', 'never', 'dated', 'advertised'] as const;
/** The Last-Modified date of pages that never change: 1 January 2024. */
const LONG_AGO = Date.UTC(2024, 0, 1);

export interface ChangingTruth extends Place {
  kind: (typeof KINDS)[number];
  /** The time between two versions; null if the text never changes. */
  periodMs: number | null;
  phaseMs: number;
  title: string;
  /** A word that every version of the page contains. */
  uniqueWord: string;
}

/**
 * Plans `count` pages that cycle through the kinds. Pages that change also cycle through the periods.
 */
export function planChanging(context: FeatureContext, count: number): FeaturePart<ChangingTruth> {
  const pages = range(count).map((number) => {
    const document = context.document();
    const { title, uniqueWord } = document;
    const kind = KINDS[number % KINDS.length]!;
    const factor = PERIOD_FACTORS[Math.floor(number / KINDS.length) % PERIOD_FACTORS.length]!;
    const periodMs = kind === 'content' || kind === 'bare' ? context.tuning.changePeriodMs * factor : null;
    const truth = { kind, periodMs, phaseMs: document.number % (periodMs ?? 1), title, uniqueWord };
    const respond = (visit: Visit) => changingPage(context, document, truth, visit);
    return { path: `/${kind}/${number}`, respond, truth };
  });
  return dealPages(context, 'changing', PAGES_PER_HOST, pages);
}

type Schedule = Pick<ChangingTruth, 'periodMs' | 'phaseMs' | 'uniqueWord'>;

/** Returns the number of the version that is valid at a time; 0 for pages that never change. */
export function versionAt({ periodMs, phaseMs }: Schedule, atMs: number): number {
  return periodMs === null ? 0 : Math.floor((atMs + phaseMs) / periodMs);
}

/** Returns the word that only one version of one page contains. */
export function versionWord({ uniqueWord }: Schedule, version: number): string {
  const letters = [...String(version)].map((digit) => 'bdfgklmnpr'[Number(digit)]);
  return `${uniqueWord.slice(0, -1)}${letters.join('')}x`;
}

function changingPage(
  context: FeatureContext,
  document: Document,
  truth: Omit<ChangingTruth, keyof Place>,
  visit: Visit,
): WebResponse {
  const version = versionAt(truth, visit.now);
  const word = versionWord(truth, version);
  const paragraphs = [`This edition is ${word}.`, ...paragraphsOf(context, document)];
  if (truth.kind === 'dated') paragraphs.push(dateLine(visit));
  const head = truth.kind === 'cosmetic' ? `<!-- request ${visit.tally().earlier} -->` : '';
  const foot = truth.kind === 'advertised' ? advertisements(context, visit) : '';
  const page = featurePageOf(context, document, { paragraphs, head, foot });
  if (truth.kind !== 'content' && truth.kind !== 'never') return htmlResponse(page);
  const changedAt = truth.periodMs === null ? LONG_AGO : version * truth.periodMs - truth.phaseMs;
  const validators = { etag: `"${word}"`, 'last-modified': new Date(changedAt).toUTCString() };
  return unchanged(visit, validators) ? { status: 304, headers: validators } : htmlResponse(page, validators);
}

/**
 * Returns true if a conditional request gets 304. If-None-Match takes precedence if it is given (RFC 9110 §
 * 13.2.2). Dates are rounded down to whole seconds.
 */
function unchanged(visit: Visit, validators: { etag: string; 'last-modified': string }): boolean {
  const tags = visit.header('if-none-match');
  if (tags !== '') return tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === validators.etag);
  const since = Date.parse(visit.header('if-modified-since'));
  return since >= Date.parse(validators['last-modified']);
}

function dateLine({ now, tally }: Visit): string {
  const date = new Date(now).toUTCString();
  return `Today is ${date.slice(0, 16)}, and it is ${date.slice(17, 22)}. ${tally().earlier + 1} views.`;
}

function advertisements(context: FeatureContext, visit: Visit): string {
  const random = randomFor(context, visit.tally().earlier);
  const text = () => context.prose.paragraph(random);
  return `<div class="ad-banner">${text().slice(0, 80)}</div>\n<aside>${text()}</aside>`;
}
