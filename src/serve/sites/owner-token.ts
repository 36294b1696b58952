/**
 * Tokens by which people prove that a site is theirs. The browser has a random key in a cookie; the token that it puts
 * on the site is a digest of key and host. The token is public, but only the browser with the key can use it.
 */
import { createHash, randomBytes } from 'node:crypto';
import { fastifyCookie as cookie } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { UsageError } from '../../base/mod.ts';

const COOKIE = 'gyre-owner';
const YEAR_SECONDS = 365 * 24 * 3600;

/** Returns the key of this browser, and gives it one if it has none. */
export function ownerKey(request: FastifyRequest, reply: FastifyReply): string {
  const known = cookie.parse(request.headers.cookie ?? '')[COOKIE] ?? '';
  if (/^[\w-]{32,64}$/.test(known)) return known;
  const key = randomBytes(24).toString('base64url');
  const attributes = { path: '/sites', httpOnly: true, sameSite: 'strict', maxAge: YEAR_SECONDS } as const;
  const secure = request.protocol === 'https';
  reply.header('set-cookie', cookie.serialize(COOKIE, key, { ...attributes, secure }));
  return key;
}

export function tokenOf(key: string, host: string): string {
  return createHash('sha256').update(`${key}\n${host}`).digest('hex').slice(0, 32);
}

/** Reads a host as people type it: `example.org`, `example.org:8443` or a URL of the host. */
export function readHost(text: string): string {
  const typed = text.trim().toLowerCase();
  const url = URL.parse(/^https?:\/\//.test(typed) ? typed : `https://${typed}`);
  if (typed === '' || !url || url.username !== '' || url.hostname === '' || typed.length > 253)
    throw new UsageError('bad-host', `"${text}" is no host: expected a name such as example.org`);
  return url.host;
}
