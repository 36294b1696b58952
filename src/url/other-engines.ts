/**
 * The list of other search engines. A query with a bang (`!w tides`) is sent to one of these engines, and the
 * page for a search without results links to them. A line of the list has a bang, a name and a URL with
 * `{query}`:
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

/** Parses a line of the list. Returns null if it is malformed. */
export function parseOtherEngine(line: string): OtherEngine | null {
  const [, bang, name, url] = LINE.exec(line.trim()) ?? [];
  return bang && name && url && URL.canParse(url) ? { bang, name, url } : null;
}

/**
 * Returns the engine that a query names with a bang, and the query without the bang; null if there is no
 * known bang.
 */
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
