/** A test server on loopback that imitates the services of remote boxes and records the requests. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  method: string;
  url: URL;
  headers: IncomingMessage['headers'];
  body: string;
}

export interface RemoteService {
  address: string;
  asked: Asked[];
  close(): Promise<void>;
}

/**
 * Starts the server. `reply` returns a value to send as JSON, a Buffer to send unchanged, a number for a
 * status without a body, or null to send no reply.
 */
export async function startService(reply: (asked: Asked) => unknown): Promise<RemoteService> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { method = '', headers, url = '/' } = request;
    const each = { method, headers, body, url: new URL(url, 'http://service.test') };
    asked.push(each);
    const answer = reply(each);
    if (answer === null) return;
    if (typeof answer === 'number') response.writeHead(answer, { location: '/elsewhere' }).end();
    else
      response
        .setHeader('content-type', 'application/json')
        .end(Buffer.isBuffer(answer) ? answer : JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
