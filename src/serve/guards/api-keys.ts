/** Checks the optional keys of the JSON API: `Authorization: Bearer KEY` or `X-API-Key: KEY`. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { RequestProblem } from '../errors.ts';
import { acceptsAny, bearerIn, requireCredential } from './credentials.ts';
import type { RateLimit } from './rate-limit.ts';

/**
 * Requires one of the keys for all routes of `server`. `wrong` limits how many wrong keys a client may try.
 */
export function requireKey(server: FastifyInstance, keys: readonly string[], wrong: RateLimit): void {
  if (keys.length === 0) return;
  const refusal = () =>
    new RequestProblem(401, 'key-needed', 'This interface needs a key: send Authorization: Bearer KEY.');
  const check = { accepts: acceptsAny(keys), sentBy: keyIn, wrong, realm: 'Bearer realm="gyre"', refusal };
  server.addHook('preValidation', requireCredential(check));
}

function keyIn(request: FastifyRequest): string {
  const named = request.headers['x-api-key'];
  return bearerIn(request) || (typeof named === 'string' ? named : '');
}
