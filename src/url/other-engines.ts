/**
 * Other search engines: where a bang (`!w tides`) leads, and where the page for a search without results
 * points to. A line has a bang, a name and a URL with `{query}`:
 *
 *   w Wikipedia https://en.wikipedia.org/w/index.php?search={query}
 */

export interface OtherEngine {
  bang: string;
  name: string;
  url: string;
}

const LINE = /^([\p{Ll}\p{N}]{1,20})\s+(\S.{0,60}?)\s+(https?:\/\/\S+\{query\}\S*)$/u;
const AT_START = /^!([\p{L}\p{N}]+)\s+(.+)$/u;
const AT_END = /^(.+)\s+!([\p{L}\p{N}]+)$/u;

/** Returns null if the line is malformed. */
export function parseOtherEngine(line: string): OtherEngine | null {
  const [, bang, name, url] = LINE.exec(line.trim()) ?? [];
  return bang && name && url && URL.canParse(url) ? { bang, name, url } : null;
}

/** Returns the engine that the query asks for with a bang, and the query without it; null if there is none. */
export function readBang(
  query: string,
  engines: readonly OtherEngine[],
): { engine: OtherEngine; query: string } | null {
  const [, first, rest] = AT_START.exec(query) ?? [];
  const [, begin, last] = AT_END.exec(query) ?? [];
  const engineOf = (bang: string | undefined) => engines.find((each) => each.bang === bang?.toLowerCase());
  const atStart = engineOf(first);
  if (atStart) return { engine: atStart, query: rest! };
  const atEnd = engineOf(last);
  return atEnd ? { engine: atEnd, query: begin! } : null;
}

export function addressElsewhere({ url }: OtherEngine, query: string): string {
  return url.replace('{query}', () => encodeURIComponent(query));
}
