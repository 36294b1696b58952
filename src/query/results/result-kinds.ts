/** Finds the kinds of documents among the best matches. The result page offers a tab for each. */
import { DocumentKind, formatOf, kindOf, type OpenSegment } from '../../index/mod.ts';
import type { Match } from '../matching/mod.ts';

/** Considers only the best matches; a kind that occurs only further down is not worth a tab. */
export function kindsAmong(matches: readonly Match[], segments: readonly OpenSegment[]): string[] {
  const seen = new Map<OpenSegment, Uint8Array<ArrayBuffer>>();
  let last: OpenSegment | null = null;
  let marks = new Uint8Array(0);
  for (const { segment, doc } of matches) {
    const { types, typeOf } = segment.reader.table;
    if (segment !== last) {
      marks = seen.get(segment) ?? new Uint8Array(types.length);
      seen.set(segment, marks);
      last = segment;
    }
    marks[typeOf[doc]!] = 1;
  }
  const types = [...seen].flatMap(([{ reader }, marks]) =>
    reader.table.types.filter((_, at) => marks[at] === 1),
  );
  const kinds = new Set(types.flatMap((type) => [formatOf(type), kindOf(type)]));
  const isFeed = (type: string) => kindOf(type) === DocumentKind.feed;
  if (segments.some(({ reader }) => reader.table.types.some(isFeed))) kinds.add(DocumentKind.feed);
  return [...kinds].filter((kind) => kind !== '').sort();
}
