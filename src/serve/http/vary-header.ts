/**
 * The Vary header: the request headers that a response depends on, so that no cache serves it to another
 * client.
 */
import type { FastifyReply } from 'fastify';

/** Appends to an existing value: the CORS plugin also sets Vary. */
export function varyBy(reply: FastifyReply, fields: string): FastifyReply {
  const before = reply.getHeader('vary');
  return reply.header('vary', before === undefined ? fields : `${before}, ${fields}`);
}
