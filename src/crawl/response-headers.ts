/** Parses the headers of a response, for `fetch/` and for the parser threads. */

/**
 * Converts headers as received (name, value, name, value) to a map. Names are in lower case; a repeated header has
 * all its values, in order.
 */
export function headersOf(raw: readonly string[]): Map<string, string[]> {
  const headers = new Map<string, string[]>();
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at]!.toLowerCase();
    const values = headers.get(name);
    if (values) values.push(raw[at + 1]!);
    else headers.set(name, [raw[at + 1]!]);
  }
  return headers;
}

/** Returns the content codings of a body, in the order in which they were applied. */
export function contentCodingOf(headers: ReadonlyMap<string, string[]>): string {
  return headers.get('content-encoding')?.join(',') ?? '';
}
