/** Settings with which an engine has its own name, logo, colours and links. The pages that show them are in `serve/`. */
import { UsageError } from '../../base/mod.ts';
import { contrastOf } from './contrast.ts';
import { type Kind, list, text } from './setting-kinds.ts';

interface BrandLink {
  name: string;
  url: string;
}

const MAX_NAME = 40;
const MAX_START_TEXT = 500;
const MAX_LINKS = 8;
/** The contrast that WCAG 2.2 requires of text (level AA). */
const LEAST_CONTRAST = 4.5;
/** The colours behind or on the colour of the brand, from `web/gyre.css`: ground, raised, note and text of buttons. */
export const SURFACES = {
  light: ['#fcfcfa', '#ffffff', '#eef4f3'],
  dark: ['#14181b', '#1c2125', '#1c282b', '#0e2226'],
} as const;

const name: Kind<string> = { name: 'name', parse: (value) => expectLine(value, 1, MAX_NAME) };
const startText: Kind<string> = { name: 'text', parse: (value) => expectLine(value, 0, MAX_START_TEXT) };
const links: Kind<readonly BrandLink[]> = { name: 'links', parse: parseLinks };

function colorOn(scheme: keyof typeof SURFACES): Kind<string> {
  return { name: 'colour', parse: (value) => parseColor(value, scheme) };
}

export const BRAND_SETTINGS = [
  {
    key: 'brand.name',
    kind: name,
    default: 'Gyre',
    help: 'name of the engine, on all pages, in feeds and in browsers that add it as a search engine',
  },
  {
    key: 'brand.logo',
    kind: text,
    default: '',
    help: 'file of the logo beside the name, which is also the icon of the pages: SVG or PNG, at most 64 KiB; by default a spiral',
  },
  {
    key: 'brand.color',
    kind: colorOn('light'),
    default: '',
    help: 'colour of logo, buttons and focus on light pages, such as #15616d; it needs a contrast of 4.5 with the light background',
  },
  {
    key: 'brand.darkColor',
    kind: colorOn('dark'),
    default: '',
    help: 'the same on dark pages, such as #76c2cf, with a contrast of 4.5 with the dark background',
  },
  {
    key: 'brand.links',
    kind: links,
    default: [],
    help: 'up to eight links at the foot of every page, each a name and a URL, such as ["Imprint https://search.example/imprint"]',
  },
  {
    key: 'brand.startText',
    kind: startText,
    default: '',
    help: 'text below the search box of the start page, up to 500 characters; by default the number of pages and a hint on the query language',
  },
] as const;

function expectLine(value: unknown, least: number, most: number): string {
  const written = typeof value === 'string' ? value.trim() : null;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are refused.
  const isFit = written !== null && written.length >= least && !/[\u0000-\u001f\u007f]/.test(written);
  if (isFit && written.length <= most) return written;
  throw new UsageError(
    'bad-setting',
    `expected one line of ${least === 0 ? 'at most' : `${least} to`} ${most} characters, got ${JSON.stringify(value)}`,
  );
}

function parseColor(value: unknown, scheme: keyof typeof SURFACES): string {
  if (value === '') return '';
  if (typeof value !== 'string' || !/^#[\da-f]{6}$/i.test(value)) {
    throw new UsageError('bad-setting', `expected a colour such as #15616d, got ${JSON.stringify(value)}`);
  }
  const color = value.toLowerCase();
  const least = Math.min(...SURFACES[scheme].map((surface) => contrastOf(color, surface)));
  if (least >= LEAST_CONTRAST) return color;
  const change = scheme === 'light' ? 'a darker' : 'a lighter';
  throw new UsageError(
    'bad-setting',
    `${value} is too hard to read on ${scheme} pages: its contrast is ${least.toFixed(1)}, expected at least ${LEAST_CONTRAST}; choose ${change} colour`,
  );
}

function parseLinks(value: unknown): readonly BrandLink[] {
  const lines = list.parse(value);
  if (lines.length > MAX_LINKS)
    throw new UsageError('bad-setting', `expected at most ${MAX_LINKS} links, got ${lines.length}`);
  return Object.freeze(lines.map(parseLink));
}

function parseLink(line: string): BrandLink {
  const [, label, url] = /^(\S.{0,39}?)\s+(https?:\/\/\S+)$/i.exec(line.trim()) ?? [];
  if (label !== undefined && url !== undefined && URL.canParse(url)) return { name: label, url };
  throw new UsageError(
    'bad-setting',
    `expected a name and a URL that starts with https://, such as "Imprint https://search.example/imprint", got ${JSON.stringify(line)}`,
  );
}
