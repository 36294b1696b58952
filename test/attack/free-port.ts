/**
 * Finds free ports below the range from which the system takes ports for outgoing connections. Therefore no
 * connection of a large crawl can take these ports.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { systemCode } from '../../src/base/mod.ts';

const LOWEST = 20_000;
const HIGHEST = 32_000;
const TRIES = 100;

/** Listens on a free port of loopback and returns it. */
export async function listenBelowEphemeral(server: Server): Promise<number> {
  for (let tries = 0; tries < TRIES; tries++) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    try {
      server.listen({ port, host: '127.0.0.1', backlog: 4096 });
      await once(server, 'listening');
      return port;
    } catch (error) {
      if (systemCode(error) !== 'EADDRINUSE') throw error;
    }
  }
  throw new Error(`no free port from ${LOWEST} to ${HIGHEST} in ${TRIES} tries`);
}

/** Returns a port that is free now, for a program that needs a port number. */
export async function findFreePort(): Promise<number> {
  const server = createServer();
  const port = await listenBelowEphemeral(server);
  server.close();
  await once(server, 'close');
  return port;
}
