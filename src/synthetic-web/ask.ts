/**
 * Sends one request to a synthetic web. The Host header selects the host, so no name is resolved. Never
 * throws because of the server: a closed socket is a result.
 */
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { CONTROL_HOST } from './control.ts';
import type { LogEntry } from './request-log.ts';

export interface AskOptions {
  method?: string;
  headers?: Record<string, string>;
  /** The time in milliseconds after which the client gives up. Default: 10,000. */
  patienceMs?: number;
  /** The number of bytes of the body after which the client gives up. */
  maxBytes?: number;
}

export interface Reply {
  /** The HTTP status; 0 if no status line was received. */
  status: number;
  headers: IncomingHttpHeaders;
  /** The body as received, with its content coding. */
  body: Buffer;
  end: 'complete' | 'cut' | 'gave-up';
}

export function ask(port: number, host: string, path: string, options: AskOptions = {}): Promise<Reply> {
  const { method = 'GET', headers = {}, patienceMs = 10_000, maxBytes = Number.POSITIVE_INFINITY } = options;
  return new Promise((resolve) => {
    const reply: Reply = { status: 0, headers: {}, body: Buffer.alloc(0), end: 'cut' };
    const chunks: Buffer[] = [];
    const finish = (end: Reply['end']) => {
      clearTimeout(timer);
      resolve({ ...reply, body: Buffer.concat(chunks), end });
      request.destroy();
    };
    const timer = setTimeout(() => finish('gave-up'), patienceMs);
    const request = httpRequest({
      ...{ host: '127.0.0.1', port, path, method, agent: false, maxHeaderSize: 1 << 20 },
      headers: { host: `${host}:${port}`, ...headers },
    });
    request.once('error', () => finish('cut'));
    request.once('response', (response) => {
      Object.assign(reply, { status: response.statusCode, headers: response.headers });
      let received = 0;
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        received += chunk.length;
        if (received >= maxBytes) finish('gave-up');
      });
      response.once('end', () => finish('complete'));
      response.once('error', () => finish('cut'));
    });
    request.end();
  });
}

/** Reads the request log of a server in another process, beginning with entry `from`. */
export async function readLog(port: number, from = 0): Promise<LogEntry[]> {
  const { body } = await ask(port, CONTROL_HOST, `/log?from=${from}`);
  const lines = body.toString().split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as LogEntry);
}
