/** The verdict of a robots.txt about URLs, with the line that decides, for commands that explain it. */
import { UsageError } from '../base/mod.ts';
import { parseRobots, robotsVerdict } from '../crawl/mod.ts';

export interface RobotsReport {
  url: string;
  verdict: 'allow' | 'disallow';
  /**
   * Number of the line with the deciding rule, starting with 1; `text` is that line. Both are null if no rule matches
   * the URL, or if matching took too many steps.
   */
  line: number | null;
  text: string | null;
}

/**
 * Returns the verdict of a robots.txt about each URL. Throws a UsageError at the first of `urls` that is neither a
 * web address nor a path.
 */
export function reportRobots(body: Uint8Array, agent: string, urls: readonly string[]): RobotsReport[] {
  const { rules } = parseRobots(body, agent);
  const lines = Buffer.from(body)
    .toString()
    .split(/\r\n|\r|\n/);
  return urls.map((url) => {
    const { allowed, rule } = robotsVerdict(rules, pathToAsk(url));
    const text = rule === null ? null : lines[rule.line - 1]!.trim();
    return { url, verdict: allowed ? 'allow' : 'disallow', line: rule?.line ?? null, text };
  });
}

/** Returns path and query of a URL. All query parameters are kept, because the verdict is about the URL as given. */
function pathToAsk(raw: string): string {
  const url = URL.parse(raw, raw.startsWith('/') ? 'https://any.host/' : undefined);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new UsageError('bad-url', `expected a URL such as https://example.org/a or /a, got "${raw}"`);
  }
  url.hash = '';
  return url.href.slice(url.href.indexOf('/', url.protocol.length + 2));
}

/** Names the line that decides, such as `line 3: Disallow: /private/`. */
export function describeRobotsRule({ line, text, verdict }: RobotsReport): string {
  if (line !== null) return `line ${line}: ${text}`;
  return verdict === 'allow' ? 'no rule matches' : 'too many rules apply to it';
}
