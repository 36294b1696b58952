import assert from 'node:assert/strict';
import { test } from 'node:test';
import fastify from 'fastify';
import { encodePng } from '../../base/mod.ts';
import type { PageArchive, Picture } from '../cached/page-archive.ts';
import { testSite } from '../server-context.fixture.ts';
import { iconRoutes } from './site-icon.ts';
import { MAX_PICTURE_BYTES } from './small-picture.ts';

const PNG = encodePng({ width: 2, height: 2, rgba: new Uint8Array(16).fill(7) });

/** Creates a server whose archive has the given images and whose crawl knows the given icons. */
function serverWith(pictures: Record<string, Picture>, icons: Record<string, string> = {}) {
  const server = fastify();
  const looks: string[] = [];
  const clock = { time: Date.UTC(2026, 0, 2), now: () => clock.time };
  const picture = async (url: string) => {
    looks.push(url);
    return pictures[url] ?? null;
  };
  const archive = { picture } as unknown as PageArchive;
  iconRoutes(server, testSite({ archive, clock, iconOf: async (origin) => icons[origin] ?? null }));
  return { server, looks, clock };
}

const png = (bytes: Buffer): Picture => ({ contentType: 'image/png', bytes });

test('the icon that the crawl found is shown, on any host and port', async () => {
  const { server } = serverWith(
    { 'http://cdn.test/a.png': png(PNG), 'http://a.test:81/favicon.ico': png(Buffer.concat([PNG, PNG])) },
    { 'https://a.test': 'http://cdn.test/a.png', 'http://a.test:81': 'http://a.test:81/favicon.ico' },
  );
  const reply = await server.inject('/icon/a.test');
  assert.deepEqual(reply.rawPayload, PNG);
  assert.equal(reply.headers['content-type'], 'image/png');
  assert.equal(reply.headers['content-security-policy'], "default-src 'none'; sandbox");
  assert.equal(reply.headers['x-content-type-options'], 'nosniff');
  assert.equal((await server.inject('/icon/a.test%3A81')).rawPayload.length, 2 * PNG.length);
  assert.match((await server.inject('/icon/a.test:82')).body, /^<svg/);
});

test('a data: icon is shown if it is an image', async () => {
  const data = (bytes: Buffer) => `data:image/png;base64,${bytes.toString('base64')}`;
  const { server } = serverWith(
    {},
    { 'http://a.test': data(PNG), 'http://b.test': data(Buffer.from('<svg onload=alert(1)>')) },
  );
  assert.deepEqual((await server.inject('/icon/a.test')).rawPayload, PNG);
  const tile = await server.inject('/icon/b.test');
  assert.match(tile.body, /<text[^>]*>B<\/text>/);
  assert.doesNotMatch(tile.body, /alert/);
});

test('without crawl state the usual icon paths are tried', async () => {
  const { server } = serverWith({ 'http://a.test/favicon.png': png(PNG) });
  assert.deepEqual((await server.inject('/icon/a.test')).rawPayload, PNG);
});

test('a too large icon is replaced by the letter', async () => {
  const large = Buffer.concat([PNG, Buffer.alloc(MAX_PICTURE_BYTES)]);
  const { server } = serverWith({ 'http://a.test/i': png(large) }, { 'http://a.test': 'http://a.test/i' });
  assert.match((await server.inject('/icon/a.test')).body, /^<svg/);
});

test('an icon is cached for a day, and a letter for a shorter time', async () => {
  const pictures: Record<string, Picture> = { 'http://a.test/i': png(PNG) };
  const { server, looks, clock } = serverWith(pictures, {
    'http://a.test': 'http://a.test/i',
    'http://b.test': 'http://b.test/i',
  });
  assert.equal((await server.inject('/icon/a.test')).headers['cache-control'], 'public, max-age=86400');
  assert.equal((await server.inject('/icon/b.test')).headers['cache-control'], 'public, max-age=60');
  const before = looks.length;
  await server.inject('/icon/a.test');
  await server.inject('/icon/b.test');
  assert.equal(looks.length, before);
  clock.time += 61_000;
  pictures['http://b.test/i'] = png(PNG);
  assert.deepEqual((await server.inject('/icon/b.test')).rawPayload, PNG);
});

test('an invalid host has no icon', async () => {
  const { server } = serverWith({});
  for (const name of ['a%20b', 'a.test%2Fx', '%3Cscript%3E', 'u@a.test', 'a.test:port']) {
    assert.ok((await server.inject(`/icon/${name}`)).statusCode >= 400, name);
  }
});
