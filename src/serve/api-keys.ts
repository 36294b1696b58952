/**
 * Keys for the JSON interface, if the operator wants any: `Authorization: Bearer KEY` or `X-API-Key: KEY`.
 * Asked for behind the limit of the client, so that nobody can try as many as they like.
 * Digests are compared, all of them in the same time, so that an answer's delay tells nothing about a key.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { RequestProblem } from './errors.ts';

export function requireKey(server: FastifyInstance, keys: readonly string[]): void {
  if (keys.length === 0) return;
  const digests = keys.map(digestOf);
  server.addHook('preValidation', async (request, reply) => {
    const given = digestOf(keyOf(request));
    if (digests.filter((digest) => timingSafeEqual(digest, given)).length > 0) return;
    reply.header('www-authenticate', 'Bearer realm="gyre"');
    throw new RequestProblem(
      401,
      'key-needed',
      'This interface needs a key: send Authorization: Bearer KEY.',
    );
  });
}

function keyOf({ headers }: FastifyRequest): string {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  const named = headers['x-api-key'];
  return bearer ?? (typeof named === 'string' ? named : '');
}

function digestOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
