/**
 * Chooses the icon to show among those that a page declares for its site: a small bitmap.
 *
 *   <link rel=icon sizes=32x32 href=/icon.png>   the icon nearest to the displayed size comes first
 *   <link rel=icon href=/favicon.ico>            then an icon without a declared size
 *   <link rel=icon sizes=512x512 href=…>         then larger icons, and touch icons of phones
 *   <link rel=icon href=/icon.svg>               SVG drawings, which may contain scripts, are skipped
 *
 * An inline picture (`data:`) is used if it is small. Authors declare an empty inline picture if the site has no
 * icon; it is chosen only if the page declares no other icon.
 */
import type { CanonicalUrl } from '../../url/mod.ts';

/** An icon as the page declares it. */
export interface RawIcon {
  href: string;
  sizes: string;
  type: string;
  isTouchIcon: boolean;
}

/** An empty inline picture. Pages use it to declare that the site has no icon. */
export const NO_ICON = 'data:,';

export const MAX_ICONS = 20;
/** The maximum length of an inline picture in base 64. */
const MAX_DATA_LENGTH = 4096;
const DATA_PICTURE =
  /^data:image\/(?:png|gif|jpeg|webp|x-icon|vnd\.microsoft\.icon);base64,[A-Za-z0-9+/]+={0,2}$/i;
const EMPTY_DATA = /^data:[^,]*,?\s*$/i;
/** The width in pixels at which icons are shown. The width of an icon is the first of its declared sizes. */
const SHOWN_WIDTH = 32;
const SMALLEST_WIDTH = 16;

/** Chooses an icon. Returns its URL or a `data:` URL; null if no icon can be used. */
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

/** Rates an icon by how far its size is from the displayed size; 0 is best. */
function costOf({ sizes, isTouchIcon }: RawIcon): number {
  const width = Number(/(\d{1,5})x\d/i.exec(sizes)?.[1] ?? 0);
  if (width === 0) return isTouchIcon ? 3 : 2;
  return width < SMALLEST_WIDTH ? 10 : Math.abs(Math.log2(width / SHOWN_WIDTH));
}
