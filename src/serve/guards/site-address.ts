/**
 * Determines the public URL of the engine, and the host names that it accepts in requests.
 *
 * Feeds and the OpenSearch description need absolute URLs. They are built from `serve.publicUrl` or, if that is
 * not set, from the request: the Host header, and https if a trusted proxy says so. A request with two Host
 * headers is refused, because a proxy in front of the server may have checked one of them and the server would
 * use the other.
 *
 * An attacker can make a domain of his own resolve to any address (DNS rebinding). His page could then read the
 * results of an engine on the machine or in the network of the page's visitor. Therefore an engine that knows
 * its own names refuses requests for other names. With `serve.publicUrl` it accepts that host, loopback names
 * and IP addresses. Without it, if it listens only on loopback and has no proxy, it accepts loopback names and
 * IP addresses.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { problemInWords, RequestProblem } from '../errors.ts';
import type { ServerContext } from '../server-context.ts';

export function requestOriginOf({ publicUrl }: ServerContext, request: FastifyRequest): string {
  return publicUrl === '' ? `${request.protocol}://${request.host}` : new URL(publicUrl).origin;
}

/** Refuses requests for foreign host names. `isLocal` is true if only this machine may reach the server. */
export function refuseForeignNames(server: FastifyInstance, publicUrl: string, isLocal: boolean): void {
  const knowsNames = publicUrl !== '' || isLocal;
  const own = hostOfPublicUrl(publicUrl);
  server.addHook('onRequest', (request, _reply, done) => {
    if (hostHeaders(request.raw.rawHeaders) > 1)
      return done(
        new RequestProblem(400, 'two-hosts', 'The request has more than one Host header; send one.'),
      );
    done((knowsNames && foreignName(request, own)) || undefined);
  });
}

/** Refuses requests for all names but loopback, IP addresses and the host of `publicUrl`, on whatever it listens. */
export function requireKnownName(request: FastifyRequest, publicUrl: string): void {
  const problem = foreignName(request, hostOfPublicUrl(publicUrl));
  if (problem) throw problem;
}

export function hostOfPublicUrl(publicUrl: string): string {
  return publicUrl === '' ? '' : new URL(publicUrl).hostname;
}

function foreignName(request: FastifyRequest, own: string): RequestProblem | null {
  const name = hostNameOf(request.host);
  if (name === own || isLoopbackName(name) || isAddress(name)) return null;
  return problemInWords(421, 'unknown-host', 'detail.unknownHost', { name, setting: 'serve.publicUrl' });
}

export function isLoopbackName(name: string): boolean {
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '[::1]' ||
    name === '::1' ||
    /^127(?:\.\d{1,3}){3}$/.test(name)
  );
}

/** Headers that proxies and content delivery networks add; a program on this machine sends none of them. */
const FORWARDING =
  /^(?:via|forwarded|cdn-loop|true-client-ip|(?:cf|fastly|fly)-.*|x-(?:forwarded|original|real|client|cluster-client|envoy|amzn?|azure|appengine|arr|vercel|proxy).*)$/;

export function isForwarded(headers: IncomingHttpHeaders): boolean {
  return Object.keys(headers).some((name) => FORWARDING.test(name));
}

/** Returns the number of Host headers. In `rawHeaders`, names and values alternate. */
function hostHeaders(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count;
}

/** Returns the host name in a Host header, without the port. */
export function hostNameOf(host: string): string {
  return host.replace(/:\d+$/, '').toLowerCase();
}

function isAddress(name: string): boolean {
  return /^\d{1,3}(?:\.\d{1,3}){3}$/.test(name) || /^\[[\da-f:.]+\]$/.test(name);
}
