/**
 * Serves the static files in `src/web/`: style sheet and scripts. They are read once when the server starts.
 *
 * Comments on lines of their own, a third of the bytes, are left out. A file's path contains a hash of its content
 * (`/assets/gyre.1f0c9a2b7d.css`), so the file may be cached forever, and browsers load a new release at once. Each file is
 * compressed once, at the highest level.
 *
 * The scripts of search pages are small modules that do not depend on each other. They are sent as one file, each inside
 * its own block. Therefore one request is enough, and no bundler is needed. The dashboard, with its libraries, is bundled
 * by `scripts/build-dashboard.ts`.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { type Brand, brandStyle, GYRE, type Logo } from '../brand.ts';
import { problemInWords } from '../errors.ts';
import { type Coding, codingOf, sendCoded, sendTagged } from '../http/mod.ts';

export interface Assets {
  /** The path of the style sheet, for use in pages. */
  stylesheet: string;
  script: string;
  /** The additional style sheet and the script of the admin pages. */
  adminStylesheet: string;
  adminScript: string;
  icon: Buffer;
  /** The logo of the operator; null if there is none. */
  logo: { path: string; type: string } | null;
  /** The files by the last segment of their path. */
  files: ReadonlyMap<string, Asset>;
}

interface Asset {
  type: string;
  bytes: Readonly<Record<Coding, Buffer>>;
}

const WEB = new URL('../../web/', import.meta.url);
const SCRIPTS = ['keys.js', 'menus.js', 'suggestions.js', 'voice.js', 'paging.js', 'answers.js'];
const BUNDLES = { script: 'bundles/dashboard.js', style: 'bundles/dashboard.css' };
const FOR_EVER = 'public, max-age=31536000, immutable';
const A_DAY = 'public, max-age=86400';
const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

export function loadAssets(brand: Brand = GYRE): Assets {
  const files = new Map<string, Asset>();
  const style = Buffer.from(withoutComments(read('gyre.css')) + brandStyle(brand));
  return {
    stylesheet: add('gyre.css', style, files),
    script: add(
      'gyre.js',
      Buffer.from(SCRIPTS.map((name) => inBlock(withoutComments(read(name)))).join('')),
      files,
    ),
    adminStylesheet: add(
      'admin.css',
      joined([BUNDLES.style, 'admin.css'], (text) => text),
      files,
    ),
    adminScript: add('admin.js', joined(['admin.js', BUNDLES.script], inBlock), files),
    icon: read('favicon.svg'),
    logo: brand.logo && addLogo(brand.logo, files),
    files,
  };
}

export function assetRoutes(server: FastifyInstance, assets: Assets): void {
  server.get<{ Params: { name: string } }>('/assets/:name', (request, reply) => {
    const asset = assets.files.get(request.params.name);
    if (!asset) throw problemInWords(404, 'not-found', 'detail.notFound');
    reply.type(asset.type).header('cache-control', FOR_EVER).header('vary', 'accept-encoding');
    const coding = codingOf(request);
    return sendCoded(reply, asset.bytes[coding], coding);
  });
  server.get('/favicon.svg', (request, reply) =>
    sendTagged(request, reply.type('image/svg+xml').header('cache-control', A_DAY), assets.icon),
  );
}

/** The path of a logo has the type of its content, not the name of its file. */
function addLogo({ type, bytes }: Logo, files: Map<string, Asset>): Assets['logo'] {
  return { path: add(type === 'image/png' ? 'logo.png' : 'logo.svg', bytes, files), type };
}

function read(name: string): Buffer {
  return readFileSync(new URL(name, WEB));
}

function joined(names: readonly string[], wrap: (text: string) => string): Buffer {
  return Buffer.from(names.map((name) => wrap(`${read(name)}\n`)).join(''));
}

const LINE_COMMENTS = /^[ \t]*(?:\/\*.*?\*\/|\/\/[^\n]*)[ \t]*\n/gms;

function withoutComments(source: Buffer): string {
  return source.toString().replace(LINE_COMMENTS, '');
}

function inBlock(script: string): string {
  return `{\n${script}}\n`;
}

function add(name: string, bytes: Buffer, files: Map<string, Asset>): string {
  const extension = extname(name);
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 10);
  const hashed = `${name.slice(0, -extension.length)}.${hash}${extension}`;
  files.set(hashed, { type: TYPES[extension]!, bytes: codedWhenAsked(bytes) });
  return `/assets/${hashed}`;
}

/** Compresses the bytes with each coding when it is first asked for, because that would delay the start. */
function codedWhenAsked(bytes: Buffer): Asset['bytes'] {
  let br: Buffer | null = null;
  let gzip: Buffer | null = null;
  return {
    identity: bytes,
    get br() {
      br ??= brotliCompressSync(bytes);
      return br;
    },
    get gzip() {
      gzip ??= gzipSync(bytes, { level: 9 });
      return gzip;
    },
  };
}
