/**
 * Serves the icon of a site from the archive. If there is none, serves the first letter of the host name on a
 * coloured tile. The browser never requests the icon from the site, because the site would then know which
 * results the searcher sees.
 *
 * The crawl knows the location of a site's icon. For a site that was not crawled, for example from an
 * imported archive, the usual paths are tried.
 */
import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { BoundedCache } from '../../base/mod.ts';
import { pictureType } from '../../page/mod.ts';
import { canonicalize, readHostName } from '../../url/mod.ts';
import type { Picture } from '../cached/mod.ts';
import { problemInWords } from '../errors.ts';
import { html } from '../html.ts';
import { sendTagged } from '../http/mod.ts';
import type { ServerContext } from '../server-context.ts';
import { smallPicture } from './small-picture.ts';

/**
 * The cache lifetimes of icons and letters in seconds. A letter is kept for a shorter time, because the crawl
 * may fetch an icon soon.
 */
const ICON_SECONDS = 86_400;
const LETTER_SECONDS = 60;
const SCHEMES = ['https', 'http'];
const USUAL_PLACES = ['/favicon.ico', '/favicon.png'];
const MAX_REMEMBERED = 2000;
/**
 * The headers of an icon. Its bytes come from a foreign server. The headers make browsers treat them as an
 * image of the declared type, never as a page that could run scripts.
 */
const HEADERS = {
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
};

interface Remembered {
  picture: Picture;
  seconds: number;
  until: number;
}

export function iconRoutes(server: FastifyInstance, site: ServerContext): void {
  const known = BoundedCache.ofEntries<string, Remembered>(MAX_REMEMBERED);
  server.get<{ Params: { host: string } }>('/icon/:host', async (request, reply) => {
    const host = readHostName(request.params.host);
    if (!host) throw problemInWords(404, 'not-found', 'detail.notFound');
    const remembered = known.get(host);
    const isFresh = remembered !== undefined && remembered.until > site.clock.now();
    const { picture, seconds } = isFresh ? remembered : await lookFor(site, host);
    if (!isFresh) known.set(host, { picture, seconds, until: site.clock.now() + 1000 * seconds });
    reply.header('cache-control', `public, max-age=${seconds}`).headers(HEADERS);
    return sendTagged(request, reply.type(picture.contentType), picture.bytes);
  });
}

async function lookFor(site: ServerContext, host: string): Promise<Pick<Remembered, 'picture' | 'seconds'>> {
  const icons = await Promise.all(SCHEMES.map((scheme) => knownIcon(site, `${scheme}://${host}`)));
  const picture = icons.find((icon) => icon !== null) ?? (await usualIcon(site, host));
  return picture
    ? { picture, seconds: ICON_SECONDS }
    : { picture: letterTile(host), seconds: LETTER_SECONDS };
}

async function knownIcon(site: ServerContext, origin: string): Promise<Picture | null> {
  const place = await site.iconOf(origin);
  if (place === null) return null;
  const picture = place.startsWith('data:') ? pictureIn(place) : await pictureAt(site, place);
  return picture && smallPicture(picture);
}

/** Decodes the image in a base64 `data:` URL; null if the URL is not an image in base64. */
function pictureIn(url: string): Picture | null {
  const bytes = Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
  const contentType = pictureType(bytes);
  return contentType === null ? null : { contentType, bytes };
}

async function pictureAt({ archive }: ServerContext, address: string): Promise<Picture | null> {
  const url = canonicalize(address);
  return url && archive ? archive.picture(url) : null;
}

async function usualIcon(site: ServerContext, host: string): Promise<Picture | null> {
  for (const place of USUAL_PLACES) {
    for (const scheme of SCHEMES) {
      const picture = await pictureAt(site, `${scheme}://${host}${place}`);
      const small = picture && smallPicture(picture);
      if (small) return small;
    }
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
