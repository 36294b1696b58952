/**
 * Chooses the icon to show among those that a page declares for its site: a small bitmap.
 *
 *   <link rel=icon sizes=32x32 href=/icon.png>   the nearest to the displayed size comes first
 *   <link rel=icon href=/favicon.ico>            then one without a declared size
 *   <link rel=icon sizes=512x512 href=…>         then larger ones, and touch icons of phones
 *   <link rel=icon href=/icon.svg>               SVG drawings, which may contain scripts, are skipped
 *
 * An inline picture (`data:`) is used if it is small. Authors declare an empty inline picture if the site has no
 * icon; it is chosen only if the page declares no other icon.
 */
import type { CanonicalUrl } from '../../url/mod.ts';

/** An icon as written. */
export interface RawIcon {
  href: string;
  sizes: string;
  type: string;
  isTouchIcon: boolean;
}

/** The icon of a page that declares that its site has none. */
export const NO_ICON = 'data:,';

export const MAX_ICONS = 20;
/** Maximum length of an inline picture, in base 64. */
const MAX_DATA_LENGTH = 4096;
const DATA_PICTURE =
  /^data:image\/(?:png|gif|jpeg|webp|x-icon|vnd\.microsoft\.icon);base64,[A-Za-z0-9+/]+={0,2}$/i;
const EMPTY_DATA = /^data:[^,]*,?\s*$/i;
/** Widths in pixels; the width of an icon is the first of its sizes. */
const SHOWN_WIDTH = 32;
const SMALLEST_WIDTH = 16;

/** Returns the URL of the icon, a `data:` URL, or null if none can be used. */
export function chooseIcon(
  icons: readonly RawIcon[],
  resolve: (href: string) => CanonicalUrl | null,
): string | null {
  const byCost = icons.filter((icon) => !isDrawing(icon)).sort((a, b) => costOf(a) - costOf(b));
  for (const { href } of byCost) {
    const address = addressOf(href.trim(), resolve);
    if (address !== null) return address;
  }
  return icons.some(({ href }) => EMPTY_DATA.test(href.trim())) ? NO_ICON : null;
}

function addressOf(href: string, resolve: (href: string) => CanonicalUrl | null): string | null {
  if (!/^data:/i.test(href)) return href === '' ? null : resolve(href);
  return href.length <= MAX_DATA_LENGTH && DATA_PICTURE.test(href) ? href : null;
}

function isDrawing({ href, type }: RawIcon): boolean {
  return /svg/i.test(type) || /^data:image\/svg/i.test(href) || /\.svgz?(?:[?#]|$)/i.test(href);
}

/** Distance from the displayed size; 0 for exactly that size. */
function costOf({ sizes, isTouchIcon }: RawIcon): number {
  const width = Number(/(\d{1,5})x\d/i.exec(sizes)?.[1] ?? 0);
  if (width === 0) return isTouchIcon ? 3 : 2;
  return width < SMALLEST_WIDTH ? 10 : Math.abs(Math.log2(width / SHOWN_WIDTH));
}
