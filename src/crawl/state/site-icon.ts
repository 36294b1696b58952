/**
 * The icon of a site: when to look for it, where, and how to interpret a response. A site is an origin. The
 * icon state is part of the host's row, so that it is committed with the pages that declared the icon.
 *
 *   page parsed     -> icon of the front page, else of the first page that declares one, else /favicon.ico
 *                   -> requested after the queued pages -> image: found
 *                                                       -> redirect: its target is requested
 *                                                       -> no image: /favicon.ico, unless already tried
 *   found, or not   -> looked for again after a month, when a page of the site is parsed
 *   no response     -> the known icon stays; looked for again after a day
 *
 * One search for an icon sends at most `MAX_REQUESTS` requests, and usually one. `icon-visit.ts` sends them.
 */
import { DAY_MS } from '../../base/mod.ts';
import { NO_ICON } from '../../page/mod.ts';
import { type CanonicalUrl, canonicalize, pathOf } from '../../url/mod.ts';

const LIFETIME_MS = 30 * DAY_MS;
const MAX_REQUESTS = 4;

export interface SiteIcon {
  /** URL of the icon, possibly a `data:` URL; empty while none was found. */
  found: string;
  /** Validators of the icon (ETag and Last-Modified) for conditional requests. */
  etag: string;
  lastModified: string;
  /** The next URL to request for the icon; empty if there is none. */
  next: string;
  /** URLs requested in the current search for an icon. */
  asked: string[];
  /** Time of the next search for an icon. */
  dueAt: number;
}

/** Interpretation of a response to an icon request. */
export type IconAnswer =
  | { kind: 'picture'; etag: string; lastModified: string }
  | { kind: 'unchanged' }
  | { kind: 'moved'; to: CanonicalUrl }
  | { kind: 'no-picture' }
  /** The response does not show whether the icon exists, for example a timeout. */
  | { kind: 'trouble' };

export function isIconWanted(icon: SiteIcon | undefined): boolean {
  return icon !== undefined && icon.next !== '';
}

/**
 * Updates the icon state after a page of the site was parsed, which may have `declared` an icon. Returns the
 * same object if nothing changes.
 */
export function iconAfterPage(
  icon: SiteIcon | undefined,
  page: { url: CanonicalUrl; declared: string | undefined },
  now: number,
): SiteIcon {
  if (icon && isIconWanted(icon)) return icon.asked.length === 0 ? inPage(withBetter(icon, page), now) : icon;
  if (icon && icon.dueAt > now) return icon;
  const { found = '', etag = '', lastModified = '' } = icon ?? {};
  const known = found.startsWith('data:') ? '' : found;
  const next = page.declared ?? (known || usualPlace(page.url));
  return inPage({ found, etag, lastModified, next, asked: [], dueAt: 0 }, now);
}

/** Marks `icon.next` as requested. Icons that pages declare from now on do not affect this search. */
export function askingFor(icon: SiteIcon): SiteIcon {
  return { ...icon, asked: [...icon.asked, icon.next] };
}

/** Updates the icon state after the response to the request for `icon.next`. */
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

/** Replaces `icon.next`, which is not available, with `/favicon.ico`; if that was already tried, ends the search. */
export function withoutNext(icon: SiteIcon, origin: string, now: number): SiteIcon {
  const usual = usualPlace(origin);
  const isTried = icon.next === usual || icon.asked.includes(usual);
  if (!isTried && icon.asked.length < MAX_REQUESTS) return { ...icon, next: usual };
  return { ...noIcon(), dueAt: now + LIFETIME_MS };
}

/** Returns the headers of a conditional request, so that the server does not send an unchanged icon again. */
export function iconConditions({ found, next, etag, lastModified }: SiteIcon): Record<string, string> {
  if (next !== found) return {};
  return {
    ...(etag !== '' && { 'if-none-match': etag }),
    ...(lastModified !== '' && { 'if-modified-since': lastModified }),
  };
}

/** Cancels the icon request. The next parsed page of the site may start a new search. */
export function forgottenIcon(icon: SiteIcon): SiteIcon {
  return { ...icon, next: '', asked: [], dueAt: 0 };
}

function noIcon(): SiteIcon {
  return { found: '', etag: '', lastModified: '', next: '', asked: [], dueAt: 0 };
}

/**
 * Returns the icon state with a better URL to request, if there is one. The icon that the front page declares
 * is preferred to icons that other pages declare, and both are preferred to `/favicon.ico`.
 */
function withBetter(
  icon: SiteIcon,
  { url, declared }: { url: CanonicalUrl; declared: string | undefined },
): SiteIcon {
  if (declared === undefined || declared === icon.next) return icon;
  return pathOf(url) === '/' || icon.next === usualPlace(url) ? { ...icon, next: declared } : icon;
}

/**
 * Ends the search if the icon is a `data:` URL, which needs no request. A special `data:` URL means that the site has
 * no icon.
 */
function inPage(icon: SiteIcon, now: number): SiteIcon {
  if (!icon.next.startsWith('data:')) return icon;
  return { ...noIcon(), found: icon.next === NO_ICON ? '' : icon.next, dueAt: now + LIFETIME_MS };
}

/** Returns the URL of `/favicon.ico`. `site` is the origin of the site or the URL of any of its pages. */
function usualPlace(site: string): CanonicalUrl {
  return canonicalize('/favicon.ico', site)!;
}
