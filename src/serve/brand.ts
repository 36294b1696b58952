/** The name, logo, colours and links of an engine, as its pages show them. The settings `brand.*` have been checked. */
import { formatSize, UsageError } from '../base/mod.ts';
import { type Html, html } from './html.ts';
import type { ServerContext } from './server-context.ts';

export interface Brand {
  name: string;
  /** The bytes of the logo and their type; null for the built-in logo. */
  logo: Logo | null;
  /** The colour on light and on dark pages, as `#rrggbb`; empty for the built-in colour. */
  color: string;
  darkColor: string;
  /** Links at the foot of every page. */
  links: readonly { name: string; url: string }[];
  /** The text below the search box of the start page; empty for the built-in text. */
  startText: string;
}

export interface Logo {
  type: 'image/svg+xml' | 'image/png';
  bytes: Buffer;
}

const BUILT_IN_NAME = 'Gyre';
export const GYRE: Brand = {
  ...{ name: BUILT_IN_NAME, logo: null, color: '', darkColor: '', links: [], startText: '' },
};

const MAX_LOGO_BYTES = 64 * 1024;
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Checks the content of a logo. The type follows from the bytes, not from the name of the file. */
export function readLogo(bytes: Buffer, file: string): Logo {
  if (bytes.length > MAX_LOGO_BYTES) {
    const size = `${formatSize(bytes.length)}, expected at most ${formatSize(MAX_LOGO_BYTES)}`;
    throw new UsageError('bad-logo', `brand.logo: ${file} has ${size}`);
  }
  if (bytes.subarray(0, PNG.length).equals(PNG)) return { type: 'image/png', bytes };
  if (
    /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*<svg[\s>]/.test(
      bytes.toString('utf8').replace(/^\ufeff/, ''),
    )
  )
    return { type: 'image/svg+xml', bytes };
  throw new UsageError('bad-logo', `brand.logo: ${file} is neither an SVG nor a PNG picture`);
}

/** Returns the rules that the style sheet gets for the colours of a brand; empty without colours. */
export function brandStyle({ color, darkColor }: Pick<Brand, 'color' | 'darkColor'>): string {
  const light = color === '' ? '' : `:root { --brand-light: ${color}; }\n`;
  const dark = darkColor === '' ? '' : `:root { --brand-dark: ${darkColor}; }\n`;
  return light + dark;
}

/** Renders the logo. Its text alternative is the name beside it. */
export function brandMark({ assets }: Pick<ServerContext, 'assets'>): Html {
  return assets.logo === null ? spiral() : html`<img class="mark" src="${assets.logo.path}" alt="">`;
}

/** Renders the name, and with the built-in one the version. */
export function engineName({ brand, version }: Pick<ServerContext, 'brand' | 'version'>): string {
  return brand.name === BUILT_IN_NAME ? `${BUILT_IN_NAME} ${version}` : brand.name;
}

/**
 * Renders the built-in logo: two spiral arms around one eye. Every outline consists of half circles that start and end
 * on one axis, so the curves join without a corner. The width of an arm is the gap between its two circles.
 */
function spiral(): Html {
  return html`<svg class="mark" viewBox="-16 -16 32 32" aria-hidden="true" focusable="false">
<path transform="rotate(20)" fill="currentColor" d="M1.1 0A1.25 1.25 0 0 1 3.6 0A6.2 6.2 0 0 1-8.8 0A11.9 11.9 0 0 1 15 0
A13.3 13.3 0 0 0-11.6 0A8.9 8.9 0 0 0 6.2 0A3.65 3.65 0 0 0-1.1 0A1.25 1.25 0 0 1-3.6 0A6.2 6.2 0 0 1 8.8 0
A11.9 11.9 0 0 1-15 0A13.3 13.3 0 0 0 11.6 0A8.9 8.9 0 0 0-6.2 0A3.65 3.65 0 0 0 1.1 0Z"/>
</svg>`;
}
