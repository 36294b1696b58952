/** Parameters of a query: which say nothing about the page, and what a rule may do with the others. */

/** Who sent the visitor. */
const TRACKING =
  'utm_\\w+|gclid|dclid|gbraid|wbraid|fbclid|msclkid|yclid|igshid|mc_[ce]id|_hs(?:enc|mi)|ref_src';
/** Who the visitor is. */
const SESSION = 'phpsessid|jsessionid|aspsessionid\\w*|sessionid|session_id|sid|cfid|cftoken|oscsid|zenid';

/** Finds a parameter that is empty, tracking or a session id: most queries have none and are done here. */
const UNWANTED = new RegExp(`(?:^|&)(?:(?=&|$)|(?:${TRACKING}|${SESSION})(?=[=&]|$))`, 'i');

/** A query without its `?`, freed of empty, tracking and session parameters; the order is kept. */
export function withoutTracking(query: string): string {
  if (!UNWANTED.test(query)) return query;
  return query
    .split('&')
    .filter((parameter) => !UNWANTED.test(parameter))
    .join('&');
}

/** What a URL rule does with the query: keeps some parameters or strips some, then sorts them or not. */
export interface QueryHandling {
  /** Only these stay; an empty list drops the query. */
  readonly keep?: readonly string[];
  /** These go. */
  readonly strip?: readonly string[];
  /** In the order of their names; those of one name keep their order. */
  readonly sort?: boolean;
}

/** A function from a query without its `?` to what is left of it. */
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
