/**
 * Parses form bodies: `application/x-www-form-urlencoded` and, for forms with a file, `multipart/form-data`
 * (RFC 7578), of which only text fields are supported.
 *
 * A form must come from a page of this site. Otherwise a foreign page could change a searcher's preferences
 * by submitting a form from the browser. Browsers report the origin of a request (Sec-Fetch-Site, or Origin
 * in older browsers).
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { problemInWords } from '../errors.ts';

export type FormFields = Readonly<Record<string, string>>;

const MAX_BYTES = 64 * 1024;
const MAX_PARTS = 20;

/** Makes the routes of `server` accept only forms. Any other body is refused with 415. */
export function acceptOnlyForms(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  const limits = { bodyLimit: MAX_BYTES };
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { ...limits, parseAs: 'string' },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  server.addContentTypeParser(
    'multipart/form-data',
    { ...limits, parseAs: 'buffer' },
    (request, body, done) =>
      done(null, parseMultipart(Buffer.from(body), request.headers['content-type'] ?? '')),
  );
}

/** Returns the fields of a form; throws if it comes from another site. */
export function ownForm(request: FastifyRequest): FormFields {
  const site = request.headers['sec-fetch-site'];
  const origin = request.headers.origin;
  const isOwn = site === undefined ? isFrom(origin, request.host) : site === 'same-origin' || site === 'none';
  if (!isOwn) throw problemInWords(403, 'foreign-form', 'detail.foreignForm');
  return (request.body ?? {}) as FormFields;
}

/**
 * Returns true if a form comes from this site. A request without an Origin header does not come from a browser,
 * so it has no cookie of a searcher that could be abused.
 */
function isFrom(origin: string | undefined, host: string): boolean {
  return origin === undefined || URL.parse(origin)?.host === host;
}

/**
 * Parses a multipart form. If the body is malformed, returns the fields before the error. Names and values
 * are text; the value of a file is its content.
 */
export function parseMultipart(body: Buffer, contentType: string): FormFields {
  const boundary = /boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType);
  const fields: Record<string, string> = {};
  if (!boundary) return fields;
  const delimiter = `\r\n--${boundary[1] ?? boundary[2]}`;
  const text = `\r\n${body.toString('utf8')}`;
  for (const part of text.split(delimiter).slice(1, MAX_PARTS + 1)) {
    const headEnd = part.indexOf('\r\n\r\n');
    const name = /^content-disposition:.*?\bname="([^"]*)"/im.exec(part.slice(0, Math.max(0, headEnd)))?.[1];
    if (headEnd >= 0 && name !== undefined) fields[name] = part.slice(headEnd + 4);
  }
  return fields;
}
