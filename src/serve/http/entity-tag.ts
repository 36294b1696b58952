/**
 * Adds entity tags to replies that are requested often and change seldom: feeds, descriptions, small images.
 * The tag is a hash of the content (RFC 9110, § 8.8.3); a client that already has this content receives 304
 * without a body.
 */
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

export function sendTagged(
  request: FastifyRequest,
  reply: FastifyReply,
  body: string | Buffer,
): FastifyReply {
  const tag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  reply.header('etag', tag);
  return isKnown(request.headers['if-none-match'] ?? '', tag) ? reply.code(304).send() : reply.send(body);
}

/**
 * Returns true if an If-None-Match header contains the tag. The comparison is weak, as RFC 9110 § 13.1.2
 * requires, because a proxy that compressed the reply may have marked the tag as weak.
 */
function isKnown(header: string, tag: string): boolean {
  return header.split(',').some((each) => each.trim() === '*' || each.trim().replace(/^W\//, '') === tag);
}
