/**
 * Sets the Vary header, which lists the request headers that a response depends on, so that no cache serves
 * the response to another client.
 */
import type { FastifyReply } from 'fastify';

/** Adds fields to the Vary header. An existing value is kept, because the CORS plugin also sets Vary. */
export function varyBy(reply: FastifyReply, fields: string): FastifyReply {
  const before = reply.getHeader('vary');
  return reply.header('vary', before === undefined ? fields : `${before}, ${fields}`);
}
