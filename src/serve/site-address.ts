/**
 * Under which address the engine is reached, and by which names it lets itself be asked.
 *
 * Feeds and the OpenSearch description need whole addresses. They are made of `serve.publicUrl`, else of what was asked:
 * the Host header, and https where a proxy that is believed says so.
 *
 * A name can be made to point at any address (DNS rebinding): a foreign page could then read the results of an engine
 * on the machine or in the network of whoever visits that page. So an engine that knows its names answers no others:
 * with a public address that one, names of loopback and plain IP addresses; without, if it listens on loopback alone and
 * has no proxy, the same without the first.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { problemInWords } from './errors.ts';
import type { Site } from './site.ts';

export function originOf({ publicUrl }: Site, request: FastifyRequest): string {
  return publicUrl === '' ? `${request.protocol}://${request.host}` : new URL(publicUrl).origin;
}

/** `isLocal`: only this machine is to reach it. */
export function refuseForeignNames(server: FastifyInstance, publicUrl: string, isLocal: boolean): void {
  if (publicUrl === '' && !isLocal) return;
  const own = publicUrl === '' ? '' : new URL(publicUrl).hostname;
  server.addHook('onRequest', async (request) => {
    const name = nameOf(request.host);
    if (name === own || isLoopbackName(name) || isAddress(name)) return;
    throw problemInWords(421, 'unknown-host', 'detail.unknownHost', { name, setting: 'serve.publicUrl' });
  });
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

/** A Host header without its port. */
export function nameOf(host: string): string {
  return host.replace(/:\d+$/, '').toLowerCase();
}

function isAddress(name: string): boolean {
  return /^\d{1,3}(?:\.\d{1,3}){3}$/.test(name) || /^\[[\da-f:.]+\]$/.test(name);
}
