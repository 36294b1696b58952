/**
 * A small picture for a site, from what is archived of it, else its first letter on a ground of its own colour. The
 * searcher's browser never asks the site: it would tell whose results are being looked at.
 */
import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { canonicalize, readHostName } from '../url/mod.ts';
import type { Picture } from './cached/page-archive.ts';
import { sendTagged } from './entity-tag.ts';
import { problemInWords } from './errors.ts';
import { html } from './html.ts';
import type { Site } from './site.ts';
import { smallPicture } from './small-picture.ts';

const A_DAY = 'public, max-age=86400';
const PLACES = [
  'https://HOST/favicon.ico',
  'http://HOST/favicon.ico',
  'https://HOST/favicon.png',
  'http://HOST/favicon.png',
];
const MAX_REMEMBERED = 2000;
const POLICY = "default-src 'none'; sandbox";

export function iconRoutes(server: FastifyInstance, site: Site): void {
  const known = new Map<string, Picture>();
  server.get<{ Params: { host: string } }>('/icon/:host', (request, reply) => {
    const host = readHostName(request.params.host);
    if (!host) throw problemInWords(404, 'not-found', 'detail.notFound');
    const picture = known.get(host) ?? archivedIcon(site, host) ?? letterTile(host);
    if (known.size >= MAX_REMEMBERED) known.clear();
    known.set(host, picture);
    reply.header('cache-control', A_DAY).header('content-security-policy', POLICY);
    return sendTagged(request, reply.type(picture.contentType), picture.bytes);
  });
}

function archivedIcon({ archive }: Site, host: string): Picture | null {
  for (const place of archive ? PLACES : []) {
    const url = canonicalize(place.replace('HOST', host));
    const picture = url && archive!.picture(url);
    const bytes = picture && smallPicture(picture.bytes, picture.contentType);
    if (bytes) return { ...picture, bytes };
  }
  return null;
}

function letterTile(host: string): Picture {
  const name = host.replace(/^www\./, '');
  const letter = /[\p{L}\p{N}]/u.exec(name)?.[0] ?? '·';
  const hue = createHash('sha256').update(name).digest().readUInt16BE(0) % 360;
  const svg = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="hsl(${hue} 38% 40%)"/><text x="8" y="11.6" font-family="system-ui,sans-serif" font-size="10" font-weight="600" text-anchor="middle" fill="#fff">${letter.toUpperCase()}</text></svg>`;
  return { contentType: 'image/svg+xml', bytes: Buffer.from(String(svg)) };
}
