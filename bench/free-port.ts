/** Finds a free port on loopback for a server of a benchmark. */
import { createServer } from 'node:net';

/**
 * The range of ports to try. The system assigns ports from 32768 on to outgoing connections, so a port from
 * 32768 on could be taken before the server starts.
 */
const FIRST_PORT = 20_000;
const PORT_END = 32_768;

export async function freePort(): Promise<number> {
  const first = FIRST_PORT + (process.pid % (PORT_END - FIRST_PORT));
  for (let port = first; port < PORT_END; port++) if (await isFree(port)) return port;
  throw new Error(`no free port from ${first} to ${PORT_END - 1}`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
