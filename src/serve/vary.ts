/** What an answer depends on besides its address, so that no cache gives it to somebody else. */
import type { FastifyReply } from 'fastify';

/** Adds to what was said before: the rule of origins has its own word in it. */
export function varyBy(reply: FastifyReply, fields: string): FastifyReply {
  const before = reply.getHeader('vary');
  return reply.header('vary', before === undefined ? fields : `${before}, ${fields}`);
}
