import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalize } from '../../url/mod.ts';
import { parsePage } from '../parse-page.ts';
import { chooseIcon, NO_ICON, type RawIcon } from './declared-icon.ts';

const PICTURE = 'data:image/png;base64,iVBORw0KGgo=';

function choose(...icons: Partial<RawIcon>[]): string | null {
  const whole = icons.map((icon) => ({ href: '', sizes: '', type: '', isTouchIcon: false, ...icon }));
  return chooseIcon(whole, (href) => canonicalize(href, 'https://a.example/dir/'));
}

test('the icon nearest to the display size is chosen', () => {
  const sized = (...sizes: string[]) => sizes.map((each) => ({ href: each, sizes: each }));
  assert.equal(choose(...sized('192x192', '16x16', '32x32')), 'https://a.example/dir/32x32');
  assert.equal(choose(...sized('512x512', '48x48 64x64', '8x8')), 'https://a.example/dir/48x48%2064x64');
  assert.equal(choose({ href: 'a' }, ...sized('16x16')), 'https://a.example/dir/16x16');
  assert.equal(choose(...sized('512x512'), { href: 'a' }, { href: 'b' }), 'https://a.example/dir/a');
  assert.equal(
    choose({ href: 'touch', isTouchIcon: true }, { href: 'a', sizes: 'any' }),
    'https://a.example/dir/a',
  );
});

test('SVG icons are ignored, however they are declared', () => {
  const drawings = [
    { href: '/i', type: 'image/svg+xml' },
    { href: '/i.svg?v=2' },
    { href: 'data:image/svg+xml,<svg/>' },
  ];
  assert.equal(choose(...drawings), null);
  assert.equal(choose(...drawings, { href: '//other.example/i.png' }), 'https://other.example/i.png');
});

test('a small data: icon is used, and an empty one means that the page has no icon', () => {
  assert.equal(choose({ href: PICTURE }), PICTURE);
  assert.equal(choose({ href: `data:image/png;base64,${'A'.repeat(5000)}` }), null);
  assert.equal(choose({ href: 'data:text/html;base64,PHNjcmlwdD4=' }), null);
  assert.equal(choose({ href: 'data:,' }), NO_ICON);
  assert.equal(choose({ href: 'data:;base64,' }, { href: '/i.png' }), 'https://a.example/i.png');
  assert.equal(choose({ href: ' ' }, { href: 'javascript:x' }, { href: 'mailto:a@b' }), null);
});

test('a page with very many icons is parsed', () => {
  const body = Buffer.from('<link rel="shortcut icon" sizes=64x64 href=/a>'.repeat(10_000));
  const page = parsePage({
    url: canonicalize('https://a.example/')!,
    contentType: 'text/html',
    body,
    xRobotsTag: [],
  });
  assert.equal(page?.favicon, 'https://a.example/a');
});
