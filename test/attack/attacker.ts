/** Starts one attack in a separate process, so that its work does not delay the measurements. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { sleep } from '../../src/base/mod.ts';
import type { Form, HostileClient, HostileHost, Target } from './attack.ts';

export type AttackerOrder =
  | { kind: 'serve'; name: string; form: Form }
  | { kind: 'attack'; name: string; form: Form; target: Target }
  | { kind: 'stop' };

export type AttackerMessage =
  | { kind: 'ready'; seeds: string[] }
  | { kind: 'requests'; contacts: number; pages: number }
  | { kind: 'wrong'; sentences: string[] };

const MAIN = join(import.meta.dirname, 'attacker-main.ts');

export interface RunningHost {
  seeds: string[];
  /** Returns the number of requests so far, of any kind. */
  contacts(): number;
  /** Returns the number of requests for pages so far. Requests for `robots.txt` and icons do not count. */
  pages(): number;
  stop(): Promise<void>;
}

export async function startHostileHost({ name }: HostileHost, form: Form): Promise<RunningHost> {
  const child = startChild();
  let requests = { contacts: 0, pages: 0 };
  child.on('message', (message: AttackerMessage) => {
    if (message.kind === 'requests') requests = message;
  });
  order(child, { kind: 'serve', name, form });
  const ready = await messageOf(child, 'ready');
  return {
    seeds: ready.seeds,
    contacts: () => requests.contacts,
    pages: () => requests.pages,
    stop: () => stopChild(child),
  };
}

export interface RunningClient {
  /** Resolves when the attack is over, with a list of requests that the server should have refused. */
  finished: Promise<string[]>;
  /** Ends the attack, and kills its process if necessary. */
  stop(): Promise<string[]>;
}

/** The time in milliseconds to wait for an attack to stop. It may be blocked on a server that hangs. */
const STOP_MS = 3_000;

export function startHostileClient({ name }: HostileClient, form: Form, target: Target): RunningClient {
  const child = startChild();
  const finished = messageOf(child, 'wrong').then(({ sentences }) => sentences);
  finished.catch(() => {});
  order(child, { kind: 'attack', name, form, target });
  const stop = async () => {
    if (child.connected) order(child, { kind: 'stop' });
    const waiting = new AbortController();
    const unfinished = sleep(STOP_MS, waiting.signal).then(() => [`${name} did not end when it was told to`]);
    const sentences = await Promise.race([finished, unfinished]);
    waiting.abort();
    await stopChild(child);
    return sentences;
  };
  return { finished, stop };
}

function startChild(): ChildProcess {
  return fork(MAIN, { execArgv: ['--disable-warning=ExperimentalWarning'] });
}

function order(child: ChildProcess, message: AttackerOrder): void {
  child.send(message);
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.disconnect();
  await exited;
}

function messageOf<Kind extends AttackerMessage['kind']>(
  child: ChildProcess,
  kind: Kind,
): Promise<Extract<AttackerMessage, { kind: Kind }>> {
  return new Promise((resolve, reject) => {
    child.on('message', (message: AttackerMessage) => {
      if (message.kind === kind) resolve(message as Extract<AttackerMessage, { kind: Kind }>);
    });
    child.once('exit', (code) => reject(new Error(`the process of the attack ended with ${code}`)));
  });
}
