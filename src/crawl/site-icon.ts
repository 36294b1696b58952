/**
 * The icon of a site: whether to look for it, where, and what an answer means. A site is an origin; what is known of its
 * icon is kept in the row of the host, so that it is committed with the pages that told of it.
 *
 *   a page was read -> what the front page declares, or else the first page that declares one, or else /favicon.ico
 *                   -> asked for after the pages at hand -> a picture: found
 *                                                        -> a redirect: its target is asked for
 *                                                        -> no picture: /favicon.ico, if that was not it
 *   found, or not   -> looked for again after a month, when a page of the site is read
 *   no answer       -> what was found stays; looked for again after a day
 *
 * A look sends at most `MAX_REQUESTS` requests, and one where all is well. `icon-visit.ts` sends them.
 */
import { NO_ICON } from '../page/mod.ts';
import { type CanonicalUrl, canonicalize, pathOf } from '../url/mod.ts';

const DAY_MS = 24 * 3_600_000;
const LIFETIME_MS = 30 * DAY_MS;
const MAX_REQUESTS = 4;

export interface SiteIcon {
  /** Where the picture is, an address or a `data:` URL; empty while none was found. */
  found: string;
  /** The validators of the picture, for when it is asked for again. */
  etag: string;
  lastModified: string;
  /** What is to be asked for; empty while nothing is. */
  next: string;
  /** What has been asked for in this look. */
  asked: string[];
  /** When to look again. */
  dueAt: number;
}

/** What an answer to a request for the icon was. */
export type IconAnswer =
  | { kind: 'picture'; etag: string; lastModified: string }
  | { kind: 'unchanged' }
  | { kind: 'moved'; to: CanonicalUrl }
  | { kind: 'no-picture' }
  /** Nothing that tells of the icon. */
  | { kind: 'trouble' };

export function isWanted(icon: SiteIcon | undefined): boolean {
  return icon !== undefined && icon.next !== '';
}

/** After a page of the site was read, which may have `declared` an icon. The same object if that changes nothing. */
export function iconAfterPage(
  icon: SiteIcon | undefined,
  page: { url: CanonicalUrl; declared: string | undefined },
  now: number,
): SiteIcon {
  if (icon && isWanted(icon)) return icon.asked.length === 0 ? inPage(withBetter(icon, page), now) : icon;
  if (icon && icon.dueAt > now) return icon;
  const { found = '', etag = '', lastModified = '' } = icon ?? {};
  const known = found.startsWith('data:') ? '' : found;
  const next = page.declared ?? (known || usualPlace(page.url));
  return inPage({ found, etag, lastModified, next, asked: [], dueAt: 0 }, now);
}

/** `icon.next` is being asked for: what pages declare from now on comes too late for this look. */
export function askingFor(icon: SiteIcon): SiteIcon {
  return { ...icon, asked: [...icon.asked, icon.next] };
}

/** After `icon.next` was asked for and this came. */
export function iconAfterAnswer(icon: SiteIcon, answer: IconAnswer, origin: string, now: number): SiteIcon {
  const { found, etag, lastModified, asked } = icon;
  const settled = { found, etag, lastModified, next: '', asked: [], dueAt: now + LIFETIME_MS };
  switch (answer.kind) {
    case 'picture':
      return { ...settled, found: icon.next, etag: answer.etag, lastModified: answer.lastModified };
    case 'unchanged':
      return settled;
    case 'trouble':
      return { ...settled, dueAt: now + DAY_MS };
    case 'moved':
      if (asked.length < MAX_REQUESTS && !asked.includes(answer.to)) return { ...icon, next: answer.to };
      return withoutNext(icon, origin, now);
    case 'no-picture':
      return withoutNext(icon, origin, now);
  }
}

/** The choice after `icon.next`, which cannot be had: the usual place, or none. */
export function withoutNext(icon: SiteIcon, origin: string, now: number): SiteIcon {
  const usual = usualPlace(origin);
  const isTried = icon.next === usual || icon.asked.includes(usual);
  if (!isTried && icon.asked.length < MAX_REQUESTS) return { ...icon, next: usual };
  return { ...noIcon(), dueAt: now + LIFETIME_MS };
}

/** The request headers by which the server need not send the picture again. */
export function iconConditions({ found, next, etag, lastModified }: SiteIcon): Record<string, string> {
  if (next !== found) return {};
  return {
    ...(etag !== '' && { 'if-none-match': etag }),
    ...(lastModified !== '' && { 'if-modified-since': lastModified }),
  };
}

/** One that is not to be asked for after all; the next page may want it anew. */
export function forgottenIcon(icon: SiteIcon): SiteIcon {
  return { ...icon, next: '', asked: [], dueAt: 0 };
}

function noIcon(): SiteIcon {
  return { found: '', etag: '', lastModified: '', next: '', asked: [], dueAt: 0 };
}

/** The front page knows best; any page knows better than that there is a usual place. */
function withBetter(
  icon: SiteIcon,
  { url, declared }: { url: CanonicalUrl; declared: string | undefined },
): SiteIcon {
  if (declared === undefined || declared === icon.next) return icon;
  return pathOf(url) === '/' || icon.next === usualPlace(url) ? { ...icon, next: declared } : icon;
}

/** One that stands in the page need not be asked for, nor does one that is not to be. */
function inPage(icon: SiteIcon, now: number): SiteIcon {
  if (!icon.next.startsWith('data:')) return icon;
  return { ...noIcon(), found: icon.next === NO_ICON ? '' : icon.next, dueAt: now + LIFETIME_MS };
}

/** Of a site, told by its origin or by any of its pages. */
function usualPlace(site: string): CanonicalUrl {
  return canonicalize('/favicon.ico', site)!;
}
