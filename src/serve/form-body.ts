/**
 * What forms send: fields as `application/x-www-form-urlencoded`, and, where one of them is a file, as
 * `multipart/form-data` (RFC 7578), of which we read text fields and nothing else.
 *
 * A form of ours must come from a page of ours: a foreign page could otherwise change a searcher's preferences by
 * sending the browser here. Browsers say where a request comes from (Sec-Fetch-Site, or Origin in older ones).
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { problemInWords } from './errors.ts';

export type FormFields = Readonly<Record<string, string>>;

const MAX_BYTES = 64 * 1024;
const MAX_PARTS = 20;

export function acceptForms(server: FastifyInstance): void {
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

/** The fields of a form that came from our own pages. */
export function ownForm(request: FastifyRequest): FormFields {
  const site = request.headers['sec-fetch-site'];
  const origin = request.headers.origin;
  const isOwn = site === undefined ? isFrom(origin, request.host) : site === 'same-origin' || site === 'none';
  if (!isOwn) throw problemInWords(403, 'foreign-form', 'detail.foreignForm');
  return (request.body ?? {}) as FormFields;
}

/** A browser that names no origin at all is no browser, and has nothing to lose. */
function isFrom(origin: string | undefined, host: string): boolean {
  return origin === undefined || URL.parse(origin)?.host === host;
}

/** Of a broken body the fields before the fault. Names and values are text; a file is its content. */
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
