/**
 * A network namespace for a node that is to be cut off from the services, but not from the web. It has two
 * links to this machine: one to the services, which can be taken down, and one to the web. Packets are then
 * lost without any notice, as on a real network. Needs root and the program `ip`.
 *
 *   node --services link (can be down)--> gates to PostgreSQL, RabbitMQ and S3
 *   node --web link----------------------> gate to the synthetic web
 */
import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import type { TestContext } from 'node:test';

export class Namespace {
  /** The address of this machine on the link to the services. */
  readonly services: string;
  /** The address of this machine on the link to the web. */
  readonly web: string;
  /** A command that runs another command in the namespace. */
  readonly launcher: readonly string[];
  readonly #servicesLink: string;

  constructor(context: TestContext) {
    const number = randomInt(256);
    const name = `gyre-test-${process.pid}`;
    this.services = `10.213.${number}.1`;
    this.web = `10.214.${number}.1`;
    this.launcher = ['ip', 'netns', 'exec', name];
    this.#servicesLink = `gs${process.pid}`;
    ip('netns', 'add', name);
    context.after(() => ip('netns', 'del', name));
    link(name, this.#servicesLink, this.services);
    link(name, `gw${process.pid}`, this.web);
    execFileSync(this.launcher[0]!, [...this.launcher.slice(1), 'ip', 'link', 'set', 'lo', 'up']);
  }

  /** Makes the link between the node and the services lose all packets. */
  cut(): void {
    ip('link', 'set', this.#servicesLink, 'down');
  }

  restore(): void {
    ip('link', 'set', this.#servicesLink, 'up');
  }
}

/**
 * Makes a pair of network devices: `device` on this machine with `address`, and its peer in the namespace with
 * the next address.
 */
function link(namespace: string, device: string, address: string): void {
  const peer = `${device}p`;
  ip('link', 'add', device, 'type', 'veth', 'peer', 'name', peer, 'netns', namespace);
  ip('addr', 'add', `${address}/24`, 'dev', device);
  ip('link', 'set', device, 'up');
  ip('-n', namespace, 'addr', 'add', `${address.replace(/1$/, '2')}/24`, 'dev', peer);
  ip('-n', namespace, 'link', 'set', peer, 'up');
}

function ip(...args: string[]): void {
  execFileSync('ip', args);
}
