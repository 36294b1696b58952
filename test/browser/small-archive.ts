/**
 * An archive of a few pages in memory: ordinary pages with several copies, a page that forbids copies, and
 * hostile pages.
 */
import { parsePage } from '../../src/page/mod.ts';
import { archiveOver } from '../../src/serve/cached/copies.fixture.ts';
import type { CopyStore } from '../../src/serve/cached/page-archive.ts';
import { type CanonicalUrl, canonicalize } from '../../src/url/mod.ts';

export const KUROSHIO = 'https://www.ocean-atlas.example/currents/kuroshio/plankton?year=2005';
export const UNSHOWN = 'https://private.example/';
export const HOSTILE_COPY = 'https://evil.example/copy';
export const HUGE_COPY = 'https://huge.example/';
export const DARK_COPY = 'https://night.example/';
export const PLAIN_COPY = 'https://plain.example/notes.txt';

/**
 * A page with all known attacks. Its copy must not run scripts, load or send anything, change the surrounding
 * page, or leave its frame.
 */
const HOSTILE_PAGE = `<!doctype html><title>hostile</title>
<meta http-equiv="refresh" content="0; url=https://evil.example/gone">
<link rel="dns-prefetch" href="//leak.example"><link rel="preload" as="image" href="https://leak.example/a">
<base href="https://leak.example/" target="_top">
<style>@import url(https://leak.example/b); body { background: url("https://leak.example/c") }
p { background-image: u\\72l(https://leak.example/d) } @font-face { font-family: x; src: url(https://leak.example/e) }</style>
<script>globalThis.hacked = 1; parent.hacked = 1; top.location = 'https://evil.example/';</script>
<body onload="parent.hacked = 1" background="https://leak.example/f">
<img src="https://leak.example/g" onerror="parent.hacked = 1"><img srcset="https://leak.example/h 1x">
<iframe src="https://leak.example/i"></iframe><object data="https://leak.example/j"></object>
<form action="https://leak.example/k"><input autofocus onfocus="parent.hacked = 1"><button>send</button></form>
<svg><script>parent.hacked = 1</script><image href="https://leak.example/l"/></svg>
<a href="javascript:parent.hacked=1" id="bad">bad</a> <a href="next" ping="https://leak.example/m" id="good">good</a>
<p onclick="parent.hacked = 1">A hostile copy \u202Ewith turned text</p>
<video src="https://leak.example/n" autoplay></video><details open ontoggle="parent.hacked=1">x</details>`;

/** A file that begins with the magic bytes of an image, which the server accepts, and continues as HTML. */
const HOSTILE_PICTURE = {
  contentType: 'image/x-icon',
  bytes: Buffer.from(
    '\x00\x00\x01\x00<html><script>globalThis.hacked = 1</script><svg onload="globalThis.hacked=1">',
  ),
};

interface StoredCopy {
  at: string;
  contentType: string;
  body: string;
}

const HTML = 'text/html; charset=utf-8';
const COPIES: Readonly<Record<string, readonly StoredCopy[]>> = {
  [KUROSHIO]: [
    { at: '20250601120000', contentType: HTML, body: kuroshio('four', '<p>Added later on.</p>') },
    { at: '20240601120000', contentType: HTML, body: kuroshio('three', '') },
    { at: '20230601120000', contentType: HTML, body: kuroshio('three', '<p>Since removed.</p>') },
  ],
  [UNSHOWN]: [
    {
      at: '20250601120000',
      contentType: HTML,
      body: '<meta name="robots" content="noarchive"><p>secret now',
    },
    { at: '20240601120000', contentType: HTML, body: '<p>not secret then' },
  ],
  [HOSTILE_COPY]: [{ at: '20250601120000', contentType: HTML, body: HOSTILE_PAGE }],
  [HUGE_COPY]: [
    {
      at: '20250601120000',
      contentType: HTML,
      body: `<p>A gyre of ${'ten megabytes of text '.repeat((10 * 2 ** 20) / 22)}`,
    },
  ],
  [DARK_COPY]: [
    {
      at: '20250601120000',
      contentType: HTML,
      body: `<style>body { margin: auto; max-width: 9em }
@media (prefers-color-scheme: dark) { body { background: #102030; color: #fff } }</style><p>A gyre at night`,
    },
  ],
  [PLAIN_COPY]: [
    { at: '20250601120000', contentType: 'text/plain', body: 'A <b>plain</b> gyre\n\nin two lines' },
  ],
};

function kuroshio(count: string, extra: string): string {
  return `<!doctype html><html lang="en"><title>Kuroshio</title><h1>The Kuroshio Current</h1>
<p>Its plankton is measured ${count} times a year by ships of the ocean atlas.</p>${extra}<p><a href="../oyashio">Oyashio</a> meets it.</p>`;
}

const copiesOf = (url: CanonicalUrl) =>
  Object.entries(COPIES).find(([address]) => canonicalize(address) === url)?.[1] ?? [];

const store: CopyStore = {
  copies: (url) =>
    copiesOf(url).map(({ at }) => ({ at, fetchedAt: Date.UTC(Number(at.slice(0, 4)), 5, 1, 12) })),
  read(url, at) {
    const copy = copiesOf(url).find((each) => each.at === at);
    if (!copy) return null;
    const body = Buffer.from(copy.body);
    const { contentType } = copy;
    const page = parsePage({ url, contentType, body, xRobotsTag: [] });
    return page && { page, contentType, body };
  },
};

export const smallArchive = archiveOver(store, async (url) =>
  url.includes('//evil.example/') ? HOSTILE_PICTURE : null,
);
