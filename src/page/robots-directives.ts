/**
 * What a page asks of robots, in `<meta name=robots content="noindex, nofollow">` and in the header
 * `X-Robots-Tag: noindex` or `X-Robots-Tag: gyre: noindex`. The most restrictive of all that
 * addresses us holds; nothing a page says can lift a restriction it made elsewhere.
 */
import type { RobotsDirectives } from './page.ts';

/** The name by which pages and headers address us. */
const OUR_NAME = 'gyre';
const ADDRESSED = new Set(['robots', '*', OUR_NAME]);

const EFFECTS = new Map<string, Partial<RobotsDirectives>>([
  ['none', { index: false, follow: false }],
  ['noindex', { index: false }],
  ['nofollow', { follow: false }],
  ['noarchive', { archive: false }],
  ['nocache', { archive: false }],
  ['nosnippet', { snippet: false }],
  ['max-snippet:0', { snippet: false }],
]);

/** Directives with a value, so that their name is not taken for that of a robot. */
const VALUED = /^(?:max-snippet|max-image-preview|max-video-preview|unavailable_after):/;
const MAX_LENGTH = 2000;

export function allowAll(): RobotsDirectives {
  return { index: true, follow: true, archive: true, snippet: true };
}

/** Applies `<meta name=… content=…>` if it addresses us; other names are none of our business. */
export function applyRobotsMeta(robots: RobotsDirectives, name: string, content: string): void {
  if (!ADDRESSED.has(name)) return;
  for (const directive of directivesIn(content)) Object.assign(robots, EFFECTS.get(directive));
}

/** Applies one header value. A robot's name holds for the directives after it, up to the next name. */
export function applyRobotsHeader(robots: RobotsDirectives, value: string): void {
  let addressed = true;
  for (const part of directivesIn(value)) {
    const name = VALUED.test(part) ? null : /^(\*|[a-z][\w-]*):/.exec(part);
    if (name) addressed = ADDRESSED.has(name[1]!);
    if (addressed) Object.assign(robots, EFFECTS.get(name ? part.slice(name[0].length) : part));
  }
}

function directivesIn(text: string): string[] {
  return text.slice(0, MAX_LENGTH).toLowerCase().replace(/\s+/g, ' ').replace(/ ?: ?/g, ':').split(/[,; ]/);
}
