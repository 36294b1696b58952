/** Facts that the checks of the machine read from it. Tests use other facts. */
import { lookup } from 'node:dns/promises';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { totalmem } from 'node:os';
import { dirname, resolve } from 'node:path';
import { systemCode } from '../../base/mod.ts';
import { freeBytesOf } from '../sessions/disk-space.ts';

export interface MachineFacts {
  nodeVersion: string;
  nowMs: number;
  /** Free bytes of the file system of a directory, which need not exist yet. */
  freeBytes(path: string): number;
  /** The limit of open files of a process; null if it is unknown or there is none. */
  openFiles(): number | null;
  /** Memory of the machine or of its container, and what of it is available. */
  memory(): { totalBytes: number; availableBytes: number };
  /** Resolves a host name; rejects if it has no address. */
  resolve(host: string): Promise<unknown>;
  /** Tries to listen. Returns null if that is possible, otherwise the code of the error. */
  listen(host: string, port: number): Promise<string | null>;
  /** Returns true if an engine answers health checks at this address. */
  isEngineAt(host: string, port: number): Promise<boolean>;
}

const TIMEOUT_MS = 5_000;

export const thisMachine: MachineFacts = {
  nodeVersion: process.versions.node,
  get nowMs() {
    return Date.now();
  },
  freeBytes(path) {
    let existing = resolve(path);
    while (!existsSync(existing)) existing = dirname(existing);
    return freeBytesOf(existing);
  },
  openFiles() {
    try {
      const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
      return soft === undefined ? null : Number(soft);
    } catch {
      return null;
    }
  },
  memory() {
    const constrained = process.constrainedMemory();
    const totalBytes = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
    return { totalBytes, availableBytes: Math.min(totalBytes, process.availableMemory()) };
  },
  resolve: (host) =>
    new Promise((found, failed) => {
      const timer = setTimeout(() => failed(new Error('no answer within 5 s')), TIMEOUT_MS);
      lookup(host)
        .then(found, failed)
        .finally(() => clearTimeout(timer));
    }),
  listen(host, port) {
    const server = createServer();
    return new Promise((ended) => {
      server.on('error', (error) => ended(systemCode(error)));
      server.listen({ host, port, exclusive: true }, () => server.close(() => ended(null)));
    });
  },
  async isEngineAt(host, port) {
    const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const reply = (await (await fetch(`http://${name}:${port}/healthz`, { signal })).json()) as object;
      return 'status' in reply && reply.status === 'alive';
    } catch {
      return false;
    }
  },
};
