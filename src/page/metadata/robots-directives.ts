/**
 * Reads robots directives from `<meta name=robots content="noindex, nofollow">` and from the header
 * `X-Robots-Tag: noindex` or `X-Robots-Tag: gyre: noindex`. If several directives address Gyre, the most
 * restrictive applies. No directive can lift a restriction that another directive sets.
 *
 *   noindex nofollow none       not listed in results; links not followed; both
 *   noarchive nocache           no cached copy is shown
 *   nosnippet max-snippet:N     no snippet; a snippet of at most N characters (-1 sets no limit)
 *   unavailable_after: DATE     like noindex from then on
 *
 * `all`, `index` and `follow` have no effect. Unknown directives are ignored.
 */
import type { Page, RobotsDirectives } from '../page.ts';

/** The name by which pages and headers address Gyre. */
const OUR_NAME = 'gyre';
const ADDRESSED = new Set(['robots', '*', OUR_NAME]);

const EFFECTS = new Map<string, Partial<RobotsDirectives>>([
  ['none', { index: false, follow: false }],
  ['noindex', { index: false }],
  ['nofollow', { follow: false }],
  ['noarchive', { archive: false }],
  ['nocache', { archive: false }],
  ['nosnippet', { snippet: false }],
]);

/**
 * A directive such as `noindex` or `max-snippet: 20`. If `value` is empty, the text is not a directive but the
 * name of a robot with a colon: `gyre:`.
 */
interface Directive {
  name: string;
  /** The value of the directive, after the colon; null if there is no colon. */
  value: string | null;
}

const MAX_LENGTH = 2000;
/** The maximum number of words in a date such as `Sunday, 06 Nov 1994 08:49:37 GMT`. */
const MAX_DATE_WORDS = 8;

const ZONE = /(?:[\d\s](?:z|ut|utc|gmt|[ecmp][sd]t)|:\d\d(?:\.\d+)?\s*[+-]\d\d:?\d\d)$/;

export function allowAll(): RobotsDirectives {
  return { index: true, follow: true, archive: true, snippet: true };
}

/** Returns true if the robots directives allow a page to be shown to searchers at time `now`. */
export function mayBeFound({ index, unavailableAfter }: RobotsDirectives, now: number): boolean {
  return index && (unavailableAfter === undefined || now < unavailableAfter);
}

/**
 * Returns true if the page may be a search result. A feed is never a search result, since it only announces
 * pages.
 */
export function isListed({ robots, kind }: Pick<Page, 'robots' | 'kind'>): boolean {
  return robots.index && kind !== 'feed';
}

/**
 * Returns true if programs may have the whole text and the records of the page: it allows copies, and does not limit
 * quotations.
 */
export function mayBeTold({ robots }: Pick<Page, 'robots'>, now: number): boolean {
  const { index, archive, snippet, maxSnippet, unavailableAfter } = robots;
  return index && archive && snippet && maxSnippet === undefined && (unavailableAfter ?? now + 1) > now;
}

/** Applies `<meta name=… content=…>` if its name is `robots` or `gyre`. */
export function applyRobotsMeta(robots: RobotsDirectives, name: string, content: string): void {
  if (!ADDRESSED.has(name)) return;
  for (const directive of directivesIn(content)) apply(robots, directive);
}

/**
 * Applies one value of the X-Robots-Tag header. The name of a robot applies to the directives after it, up to
 * the next name.
 */
export function applyRobotsHeader(robots: RobotsDirectives, value: string): void {
  let addressed = true;
  for (const directive of directivesIn(value)) {
    if (isRobot(directive)) addressed = ADDRESSED.has(directive.name);
    else if (addressed) apply(robots, directive);
  }
}

function isRobot({ name, value }: Directive): boolean {
  return value !== null && !isValued(name);
}

/**
 * Returns true if `name` is a directive that has a value after a colon, such as `max-snippet`. After any
 * other word, a colon means that the word is the name of a robot.
 */
function isValued(name: string): boolean {
  return name.startsWith('max-') || name === 'unavailable_after';
}

function apply(robots: RobotsDirectives, { name, value }: Directive): void {
  if (value === null) Object.assign(robots, EFFECTS.get(name));
  else if (name === 'max-snippet') limitSnippet(robots, value);
  else if (name === 'unavailable_after') limitTime(robots, parseDate(value));
}

function limitSnippet(robots: RobotsDirectives, value: string): void {
  if (!/^\d{1,9}$/.test(value)) return;
  robots.maxSnippet = Math.min(robots.maxSnippet ?? Number.POSITIVE_INFINITY, Number(value));
  if (robots.maxSnippet === 0) robots.snippet = false;
}

function limitTime(robots: RobotsDirectives, time: number): void {
  if (Number.isNaN(time)) return;
  robots.unavailableAfter = Math.min(robots.unavailableAfter ?? Number.POSITIVE_INFINITY, time);
}

/**
 * Yields the directives in a text. They are separated by commas, semicolons or spaces, which may also occur
 * inside a date.
 */
function* directivesIn(text: string): Generator<Directive> {
  const words = text.slice(0, MAX_LENGTH).toLowerCase();
  const next = /([^\s,;:]+)\s*(:\s*)?/g;
  for (let match = next.exec(words); match; match = next.exec(words)) {
    const name = match[1]!;
    if (match[2] === undefined) {
      yield { name, value: null };
    } else if (!isValued(name)) {
      yield { name, value: '' };
    } else {
      const rest = words.slice(next.lastIndex);
      const value = (name === 'unavailable_after' && dateAt(rest)) || /^[^\s,;]*/.exec(rest)![0];
      next.lastIndex += value.length;
      yield { name, value };
    }
  }
}

/**
 * Returns the longest beginning of `text` that is a date; empty if there is none. Another directive may
 * follow the date.
 */
function dateAt(text: string): string {
  const ends = [...text.slice(0, 80).matchAll(/[^\s,;]+/g)]
    .slice(0, MAX_DATE_WORDS)
    .map((word) => word.index + word[0].length);
  const end = ends.reverse().find((candidate) => !Number.isNaN(parseDate(text.slice(0, candidate))));
  return text.slice(0, end ?? 0);
}

/** Parses a date to milliseconds since 1970; NaN if it is invalid. A date without a time zone is in UTC. */
function parseDate(text: string): number {
  if (!/\d/.test(text)) return Number.NaN;
  if (ZONE.test(text)) return Date.parse(text);
  return Date.parse(/\dt\d/.test(text) ? `${text}z` : `${text} utc`);
}
