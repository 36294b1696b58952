/** Removes query parameters that do not identify the page, and applies the `query` part of URL rules. */

/** Parameters that name the source of a visit. */
const TRACKING =
  'utm_\\w+|gclid|dclid|gbraid|wbraid|fbclid|msclkid|yclid|igshid|mc_[ce]id|_hs(?:enc|mi)|ref_src';
/** Parameters that identify the visitor. */
const SESSION = 'phpsessid|jsessionid|aspsessionid\\w*|sessionid|session_id|sid|cfid|cftoken|oscsid|zenid';

/** Matches an empty, tracking or session parameter. Most queries have none, so one test is enough for them. */
const UNWANTED = new RegExp(`(?:^|&)(?:(?=&|$)|(?:${TRACKING}|${SESSION})(?=[=&]|$))`, 'i');

/** Removes empty, tracking and session parameters from a query without its `?`. The order is kept. */
export function withoutTracking(query: string): string {
  if (!UNWANTED.test(query)) return query;
  return query
    .split('&')
    .filter((parameter) => !UNWANTED.test(parameter))
    .join('&');
}

/** The query part of a URL rule: keeps or strips some parameters, then optionally sorts them. */
export interface QueryHandling {
  /** Only these parameters stay; an empty list drops the query. */
  readonly keep?: readonly string[];
  /** These parameters are removed. */
  readonly strip?: readonly string[];
  /** Sorts by name; parameters of the same name keep their order. */
  readonly sort?: boolean;
}

/** Returns a function that changes a query, given and returned without its `?`. */
export function queryHandler({ keep, strip, sort }: QueryHandling): (query: string) => string {
  const kept = keep && new Set(keep);
  const stripped = new Set(strip);
  return (query) => {
    const parameters = query.split('&').filter((parameter) => {
      const name = nameOf(parameter);
      return !stripped.has(name) && (kept === undefined || kept.has(name));
    });
    if (sort) parameters.sort((a, b) => compare(nameOf(a), nameOf(b)));
    return parameters.join('&');
  };
}

function nameOf(parameter: string): string {
  return parameter.split('=', 1)[0]!;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
