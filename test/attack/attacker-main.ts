/**
 * The process in which one attack runs, started by attacker.ts. It has a low priority, because a real
 * attacker uses another machine: the work of the attack must not slow down the measured program. An even
 * lower priority would starve the attack on a busy machine.
 *
 * The process ends when its parent closes the channel, for example because the parent crashed.
 */
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { setPriority } from 'node:os';
import type { HostileHost } from './attack.ts';
import type { AttackerMessage, AttackerOrder } from './attacker.ts';
import { HOSTILE_CLIENTS, HOSTILE_HOSTS } from './catalogue.ts';
import { listenBelowEphemeral } from './free-port.ts';

const REPORT_MS = 100;
const LOW_PRIORITY = 5;

setPriority(LOW_PRIORITY);
process.on('disconnect', () => process.exit());
const over = new AbortController();
let contacts = 0;
let pages = 0;

process.on('message', (order: AttackerOrder) => {
  if (order.kind === 'serve') void serve(order);
  else if (order.kind === 'attack') void attack(order);
  else over.abort();
});

async function serve({ name, form }: Extract<AttackerOrder, { kind: 'serve' }>): Promise<void> {
  const host = HOSTILE_HOSTS.find((each) => each.name === name)!;
  const scale = host.scale[form];
  const port = await listenBelowEphemeral(serverOf(host, form));
  const names = host.hostNames?.(scale) ?? Array.from({ length: scale.hosts }, (_, i) => `${name}-${i}.test`);
  tell({ kind: 'ready', seeds: names.map((each) => `http://${each}:${port}/`) });
  let told = 0;
  setInterval(() => {
    if (contacts > told) tell({ kind: 'requests', contacts, pages });
    told = contacts;
  }, REPORT_MS);
}

function serverOf(host: HostileHost, form: 'short' | 'long'): Server {
  const server = host.serve(host.scale[form]);
  if (server.protocol === 'raw') return createServer((socket) => answerRaw(socket, server.handle));
  return createHttpServer((request, response) => {
    contacts++;
    if (isPage(request.url ?? '')) pages++;
    response.on('error', () => {});
    server.handle(request, response);
  });
}

function answerRaw(socket: Socket, handle: (socket: Socket, path: string) => void): void {
  socket.on('error', () => {});
  socket.once('data', (head: Buffer) => {
    contacts++;
    const path = /^\S+ (\S+)/.exec(head.toString('latin1', 0, 4096))?.[1] ?? '/';
    if (!isPage(path)) {
      socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
      return;
    }
    pages++;
    handle(socket, path);
  });
}

function isPage(path: string): boolean {
  return path !== '/robots.txt' && path !== '/favicon.ico';
}

async function attack({ name, form, target }: Extract<AttackerOrder, { kind: 'attack' }>): Promise<void> {
  const client = HOSTILE_CLIENTS.find((each) => each.name === name)!;
  tell({ kind: 'wrong', sentences: await client.attack(target, form, over.signal) });
}

function tell(message: AttackerMessage): void {
  process.send?.(message);
}
