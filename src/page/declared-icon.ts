/**
 * Which of the pictures that a page declares for its site is the one to show: a small one, drawn in pixels.
 *
 *   <link rel=icon sizes=32x32 href=/icon.png>   the nearest to the size in which it is shown comes first
 *   <link rel=icon href=/favicon.ico>            then one that does not tell its size
 *   <link rel=icon sizes=512x512 href=…>         then larger ones, and those for the screens of telephones
 *   <link rel=icon href=/icon.svg>               drawings, which may hold scripts, are passed over
 *
 * A picture that stands in the page itself (`data:`) is taken if it is small. An empty one is how authors say that there
 * is none to be asked for; it counts if nothing else does.
 */
import type { CanonicalUrl } from '../url/mod.ts';

/** As it was written. */
export interface RawIcon {
  href: string;
  sizes: string;
  type: string;
  isTouchIcon: boolean;
}

/** Of a page that says that its site has no icon. */
export const NO_ICON = 'data:,';

export const MAX_ICONS = 20;
/** Of a picture in the page itself, in base 64. */
const MAX_DATA_LENGTH = 4096;
const DATA_PICTURE =
  /^data:image\/(?:png|gif|jpeg|webp|x-icon|vnd\.microsoft\.icon);base64,[A-Za-z0-9+/]+={0,2}$/i;
const EMPTY_DATA = /^data:[^,]*,?\s*$/i;
/** Its width in pixels is told by the first of its sizes. */
const SHOWN_WIDTH = 32;
const SMALLEST_WIDTH = 16;

/** The address of the icon, a `data:` URL, or null if none can be used. */
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

/** How far it is from what is shown; 0 for the very size. */
function costOf({ sizes, isTouchIcon }: RawIcon): number {
  const width = Number(/(\d{1,5})x\d/i.exec(sizes)?.[1] ?? 0);
  if (width === 0) return isTouchIcon ? 3 : 2;
  return width < SMALLEST_WIDTH ? 10 : Math.abs(Math.log2(width / SHOWN_WIDTH));
}
