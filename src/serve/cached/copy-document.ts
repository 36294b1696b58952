/** Renders the copy of a page as an HTML document: HTML is rewritten, every other format is shown as text. */
import { inertCopy, markedText, type Range } from '../../page/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import type { CopyContent } from './page-archive.ts';

/** The id of the element with the first highlighted word. */
export const FIRST_MATCH = 'gyre-first-match';
/** The maximum size of a copy. The rest is cut off, because a phone cannot display more. */
export const MAX_COPY_BYTES = 2 * 1024 * 1024;

/**
 * The style that is placed before the style of the copied page. The page may override it, except for the
 * highlights. It sets no background on `html`, because the background of the body would then no longer cover
 * the whole window. The colour of highlights is strong enough to stay visible when the copy's colours are
 * inverted in dark mode.
 */
const STYLE = `html { color: #111; color-scheme: light; font: 100%/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
body { max-width: 52rem; margin: 1rem auto; padding: 0 1rem } pre { white-space: pre-wrap } img { color: #59646b; font-style: italic }
mark { background: #f0d96b !important; color: #111 !important }`;

/**
 * The colours of highlights in a copy whose page has dark colours. All other copies are inverted as a whole
 * in dark mode, including highlights (src/web/gyre.css).
 */
const DARK_MARKS = `
@media (prefers-color-scheme: dark) { mark { background: #5c5117 !important; color: #fff !important } }`;

export function copyDocument(url: CanonicalUrl, copy: CopyContent, find: (text: string) => Range[]): string {
  const { page, contentType, body } = copy;
  const isHtml = /html/.test(page.contentType);
  const content = isHtml
    ? inertCopy({ url, contentType, body, xRobotsTag: [] }, { find, maxBytes: MAX_COPY_BYTES }).markup
    : textMarkup(page.text.slice(0, MAX_COPY_BYTES), find);
  return `<!doctype html>
<html><head><meta charset="utf-8"><meta name="robots" content="noindex, nofollow"><meta name="viewport" content="width=device-width, initial-scale=1"><title></title><style>${STYLE}${isDarkToo(copy) ? DARK_MARKS : ''}</style></head>
<body>${content.replace('<mark>', `<mark id="${FIRST_MATCH}">`)}</body></html>
`;
}

/**
 * Returns true if the copy has inline styles for dark mode. Linked style sheets are not loaded and do not
 * count.
 */
export function isDarkToo({ page, body }: CopyContent): boolean {
  if (!/html/.test(page.contentType)) return false;
  const markup = body.toString('latin1', 0, MAX_COPY_BYTES);
  return /<style[^<>]*>[^<]*prefers-color-scheme\s*:\s*dark/i.test(markup);
}

function textMarkup(text: string, find: (text: string) => Range[]): string {
  return text
    .split('\n')
    .map((line) => `<p dir="auto">${markedText(line, find(line))}</p>\n`)
    .join('');
}
