/** Sends raw requests of hostile clients: the bytes are sent as given, without additions or checks. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { sleep } from '../../src/base/mod.ts';

/**
 * The pause in milliseconds after a refused connection, so that an attack does not spin while the server is
 * down.
 */
const REFUSED_PAUSE_MS = 100;

/**
 * Opens a connection. If the server refuses or resets it, the socket is destroyed. This is not an error of
 * the test.
 */
export function openSocket(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' });
  return new Promise((resolve) => {
    socket.on('error', () => {});
    socket.once('connect', () => resolve(socket)).once('close', () => resolve(socket));
  });
}

export function requestText(
  method: string,
  path: string,
  port: number,
  headers: Record<string, string> = {},
  body = '',
): string {
  const all: Record<string, string> = {
    host: `127.0.0.1:${port}`,
    ...headers,
    ...(body !== '' && { 'content-length': String(Buffer.byteLength(body)) }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

/**
 * Sends a request on its own connection; returns the HTTP status, or 0 if there was no response within ten
 * seconds.
 */
export async function askRaw(port: number, text: string): Promise<number> {
  const socket = await openSocket(port);
  try {
    socket.setTimeout(10_000, () => socket.destroy());
    if (socket.destroyed) {
      await sleep(REFUSED_PAUSE_MS);
      return 0;
    }
    const head = new Promise<string>((resolve) => {
      socket.once('data', (chunk: Buffer) => resolve(chunk.toString('latin1', 0, 64)));
      socket.once('close', () => resolve(''));
    });
    socket.write(text);
    return Number(/^HTTP\/1\.1 (\d{3})/.exec(await head)?.[1] ?? 0);
  } finally {
    socket.destroy();
  }
}

/** Resolves when `signal` is aborted, which ends the attack. */
export async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** Sends request after request from `count` concurrent clients until the attack is over. */
export async function askAgainAndAgain(
  count: number,
  signal: AbortSignal,
  ask: (number: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const client = async () => {
    while (!signal.aborted) await ask(next++);
  };
  await Promise.race([untilAborted(signal), Promise.all(Array.from({ length: count }, client))]);
}
