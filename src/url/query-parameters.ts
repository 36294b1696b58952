/** Removes query parameters that do not identify the page, and applies the `query` setting of URL rules. */

/** Matches the names of parameters that say where a visitor came from, such as `utm_source`. */
const TRACKING =
  'utm_\\w+|gclid|dclid|gbraid|wbraid|fbclid|msclkid|yclid|igshid|mc_[ce]id|_hs(?:enc|mi)|ref_src';
/** Matches the names of parameters that identify the visitor, such as `sessionid`. */
const SESSION = 'phpsessid|jsessionid|aspsessionid\\w*|sessionid|session_id|sid|cfid|cftoken|oscsid|zenid';

/**
 * Matches an empty, tracking or session parameter. Most queries have no such parameter, so this single test is
 * enough for them.
 */
const UNWANTED = new RegExp(`(?:^|&)(?:(?=&|$)|(?:${TRACKING}|${SESSION})(?=[=&]|$))`, 'i');

/**
 * Removes empty, tracking and session parameters from a query. The query has no `?`, and the order is kept.
 */
export function withoutTracking(query: string): string {
  if (!UNWANTED.test(query)) return query;
  return query
    .split('&')
    .filter((parameter) => !UNWANTED.test(parameter))
    .join('&');
}

/** The `query` setting of a URL rule: keeps or removes some parameters, then optionally sorts them. */
export interface QueryHandling {
  /** The parameters that stay. All others are removed; an empty list removes the whole query. */
  readonly keep?: readonly string[];
  readonly strip?: readonly string[];
  /** If true, the parameters are sorted by name. Parameters of the same name keep their order. */
  readonly sort?: boolean;
}

/** Returns a function that applies the setting to a query without its `?`. */
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
