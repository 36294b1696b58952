/**
 * CDXJ: the index of an archive, one line per capture, sorted by the SURT form of the URL. This shelf has the
 * format; `warc/` writes it beside each WARC file.
 */

export {
  type CdxEntry,
  cdxTimestamp,
  decodeCdx,
  encodeCdx,
  parseCdxTimestamp,
  REVISIT_MIME,
  sortCdx,
} from './cdx-format.ts';
export {
  byDistance,
  CDX_MATCHES,
  type CdxMatch,
  type CdxQuery,
  matchesQuery,
  lineStartsOf,
} from './cdx-query.ts';
export { surtOf } from './surt.ts';
