/**
 * Features with pages that are missing, temporarily unavailable, or missing despite status 200.
 *
 * `tooMany` and `unavailable` respond with 429 or 503 and `Retry-After` (alternately as seconds and as a date).
 * When the time in `Retry-After` has passed since the first request, they respond with 200. Each page has its
 * own host, because `Retry-After` applies to the host. `flaky` fails its first requests without `Retry-After`.
 */
import {
  anchorsTo,
  dealPages,
  type FeatureContext,
  type FeaturePart,
  featurePageOf,
  paragraphsOf,
  range,
} from '../feature.ts';
import {
  failureResponse,
  htmlResponse,
  openRobots,
  type Place,
  type Responder,
  redirect,
  type Site,
  type Visit,
  type WebResponse,
} from '../site.ts';

const PAGES_PER_HOST = 20;

export interface ErrorTruth extends Place {
  status: number;
}

/** Plans `count` pages that always return `status` and are linked like existing pages. */
export function planErrors(status: number) {
  return (context: FeatureContext, count: number): FeaturePart<ErrorTruth> =>
    dealPages(
      context,
      `errors-${status}`,
      PAGES_PER_HOST,
      range(count).map((number) => ({
        path: `/lost/${number}`,
        respond: () => failureResponse(status, `error ${status}`),
        truth: { status },
      })),
    );
}

export interface Soft404Truth {
  host: string;
  /** The response for a missing page: an error page with status 200, or a redirect to `/`. */
  manner: 'page' | 'home';
  real: string[];
  /** Paths that are linked but do not exist. All other unknown paths get the same response. */
  missing: string[];
}

/** Plans `count` hosts that alternate between the two responses. */
export function planSoft404(context: FeatureContext, count: number): FeaturePart<Soft404Truth> {
  const truth = range(count).map(
    (number): Soft404Truth => ({
      host: `soft404-${number}.test`,
      manner: number % 2 === 0 ? 'page' : 'home',
      real: ['/', ...range(5).map((page) => `/real/${page}`)],
      missing: range(5).map((page) => `/missing/${page}`),
    }),
  );
  const sites = truth.map((record) => soft404Site(context, record));
  return { sites, entries: truth.map(({ host }) => ({ host, path: '/' })), truth };
}

function soft404Site(context: FeatureContext, { host, manner, real, missing }: Soft404Truth): Site {
  const documents = new Map(real.map((path) => [path, context.document()]));
  const apology = { ...context.document(), title: 'Page not found' };
  const paragraphs = ['Sorry, the page that you asked for is not here.', paragraphsOf(context, apology)[1]!];
  const anchors = anchorsTo([...real, ...missing]);
  const answer = (visit: Visit) => {
    if (visit.path === '/robots.txt') return openRobots();
    const document = documents.get(visit.path);
    if (document)
      return htmlResponse(featurePageOf(context, document, visit.path === '/' ? { anchors } : {}));
    return manner === 'home'
      ? redirect(302, '/')
      : htmlResponse(featurePageOf(context, apology, { paragraphs }));
  };
  return { host, answer };
}

export interface PatienceTruth extends Place {
  status: 429 | 503;
  form: 'seconds' | 'date';
  /** The waiting time from the first request. A date is rounded up to the next second. */
  waitMs: number;
  title: string;
  uniqueWord: string;
}

/** Plans `count` pages, one per host, that are unavailable at first. */
export function planPatience(status: 429 | 503) {
  return (context: FeatureContext, count: number): FeaturePart<PatienceTruth> => {
    const waitMs = context.tuning.retryAfterMs;
    const pages = range(count).map((number) => {
      const document = context.document();
      const { title, uniqueWord } = document;
      const form: PatienceTruth['form'] = number % 2 === 0 ? 'seconds' : 'date';
      const page = featurePageOf(context, document);
      const respond: Responder = (visit) => notYet(visit, status, form, waitMs) ?? htmlResponse(page);
      return { path: '/limited', respond, truth: { status, form, waitMs, title, uniqueWord } };
    });
    return dealPages(context, status === 429 ? 'too-many' : 'unavailable', 1, pages);
  };
}

function notYet(
  visit: Visit,
  status: number,
  form: PatienceTruth['form'],
  waitMs: number,
): WebResponse | undefined {
  const until = visit.tally().firstAt + waitMs;
  if (visit.now >= until) return undefined;
  const answer = failureResponse(status, 'come back later');
  if (form === 'seconds') {
    const seconds = Math.ceil((until - visit.now) / 1000);
    return withRetryAfter(answer, String(seconds), seconds * 1000);
  }
  const date = Math.ceil(until / 1000) * 1000;
  return withRetryAfter(answer, new Date(date).toUTCString(), date - visit.now);
}

function withRetryAfter(answer: WebResponse, value: string, retryAfterMs: number): WebResponse {
  return { ...answer, headers: { ...answer.headers, 'retry-after': value }, retryAfterMs };
}

export interface FlakyTruth extends Place {
  /** The number of requests that fail before the first one succeeds. */
  failures: number;
  /** The status of a failure; `cut` if the server closes the socket without a status. */
  manner: '500' | '503' | 'cut';
  title: string;
  uniqueWord: string;
}

/** Plans `count` pages, one per host, that fail once, twice or three times. */
export function planFlaky(context: FeatureContext, count: number): FeaturePart<FlakyTruth> {
  const pages = range(count).map((number) => {
    const document = context.document();
    const { title, uniqueWord } = document;
    const failures = 1 + (number % 3);
    const manner = (['500', '503', 'cut'] as const)[Math.floor(number / 3) % 3]!;
    const page = featurePageOf(context, document);
    const respond: Responder = (visit) => {
      if (visit.tally().earlier >= failures) return htmlResponse(page);
      return manner === 'cut' ? { status: 0, ending: 'cut' } : failureResponse(Number(manner), 'try again');
    };
    return { path: '/flaky', respond, truth: { failures, manner, title, uniqueWord } };
  });
  return dealPages(context, 'flaky', 1, pages);
}
