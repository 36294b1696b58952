/** A TCP proxy in front of a server. While it is shut, connections are refused, as if the server were unreachable. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

interface Endpoint {
  host: string;
  port: number;
}

export class Gate {
  readonly #target: Endpoint;
  readonly #host: string;
  readonly #sockets = new Set<Socket>();
  #server: Server | null = null;
  #port: number;

  private constructor(target: Endpoint, { host, port }: Endpoint) {
    this.#target = target;
    this.#host = host;
    this.#port = port;
  }

  /** Opens a proxy for the server `target` at the address `at` of this machine. */
  static async open(target: Endpoint, at: Endpoint): Promise<Gate> {
    const gate = new Gate(target, at);
    await gate.open();
    return gate;
  }

  get port(): number {
    return this.#port;
  }

  async open(): Promise<void> {
    const server = createServer((socket) => this.#pass(socket));
    server.listen({ host: this.#host, port: this.#port });
    await once(server, 'listening');
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  /** Ends all connections, and refuses new ones. */
  async shut(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    for (const socket of this.#sockets) socket.destroy();
    if (!server) return;
    server.close();
    await once(server, 'close');
  }

  #pass(client: Socket): void {
    const target = connect(this.#target);
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      this.#sockets.add(from);
      from.setNoDelay(true);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.#sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  }
}
