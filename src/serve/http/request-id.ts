/**
 * Gives each request an identifier. It is in the reply (`X-Request-Id`) and in the log lines of the request, so that a
 * person who reports a failure can name it. A trusted proxy may choose it, so that its log and this one have the same.
 * The log has neither addresses of clients nor their queries.
 */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Log } from '../../base/mod.ts';

const REQUEST_ID = 'x-request-id';
const RANDOM_BYTES = 9;
const VALID = /^[\w.-]{1,64}$/;

/** Returns a function that chooses the identifier of a request. */
export function requestIds(hasProxies: boolean): (request: IncomingMessage) => string {
  return ({ headers }) => {
    const sent = hasProxies ? headers[REQUEST_ID] : undefined;
    return typeof sent === 'string' && VALID.test(sent)
      ? sent
      : randomBytes(RANDOM_BYTES).toString('base64url');
  };
}

/** Adds the header to all replies, and logs them at the level `debug`. */
export function nameRequests(server: FastifyInstance, log: Log): void {
  server.addHook('onRequest', (request, reply, done) => {
    reply.header(REQUEST_ID, request.id);
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions, id } = request;
    const ms = Math.round(reply.elapsedTime);
    log.debug('request answered', {
      request: id,
      method,
      route: routeOptions.url,
      status: reply.statusCode,
      ms,
    });
    done();
  });
}
