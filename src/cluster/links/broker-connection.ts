/**
 * A connection to RabbitMQ with one channel. It is opened again after it was lost:
 *
 *   opening --set up--> open --lost--> pause, then opening
 *   closed by the caller, or by an error that remains after waiting: no further attempts
 *
 * Heartbeats detect a peer that does not answer within twice HEARTBEAT_SECONDS.
 */
import { type ChannelModel, type ConfirmChannel, connect } from 'amqplib';
import { type Log, messageOf, sleep, systemCode } from '../../base/mod.ts';
import { ServiceError } from '../service-error.ts';

const HEARTBEAT_SECONDS = 5;
const CONNECT_MS = 5_000;
const MIN_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2_000;

/** Reply codes of AMQP 0-9-1. */
const ACCESS_REFUSED = 403;
const PRECONDITION_FAILED = 406;
const NOT_ALLOWED = 530;

export interface BrokerUser {
  /**
   * Prepares a new channel. It is called after every connect. An implementation sends messages without a
   * confirm again here.
   */
  setUp(channel: ConfirmChannel): Promise<void>;
  /** Called when the channel of the last `setUp` no longer works. */
  lost(): void;
  /** Called when the connection will not be opened again. */
  failed(error: ServiceError): void;
}

export class BrokerConnection {
  readonly #url: string;
  readonly #user: BrokerUser;
  readonly #log: Log;
  readonly #closing = new AbortController();
  #model: ChannelModel | null = null;

  private constructor(url: string, user: BrokerUser, log: Log) {
    this.#url = url;
    this.#user = user;
    this.#log = log;
  }

  /** Opens a connection. Rejects with a `ServiceError` if the first attempt fails. */
  static async open(url: string, user: BrokerUser, log: Log): Promise<BrokerConnection> {
    const connection = new BrokerConnection(url, user, log);
    await connection.#connect();
    return connection;
  }

  /** Closes the connection, so that it is opened again. */
  async restart(): Promise<void> {
    await this.#model?.close().catch(() => {});
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#model?.close().catch(() => {});
  }

  async #connect(): Promise<void> {
    try {
      await this.#setUp(await connectOnce(this.#url));
    } catch (error) {
      throw explain(error, this.#url);
    }
  }

  async #setUp(model: ChannelModel): Promise<void> {
    let isClosed = false;
    model.once('close', (error) => {
      isClosed = true;
      if (this.#model === model) this.#lost(error);
    });
    try {
      const channel = await model.createConfirmChannel();
      channel.on('error', (error) => this.#channelFailed(model, error));
      await this.#user.setUp(channel);
      if (isClosed) throw new Error('the connection was closed while it was set up');
      this.#model = model;
    } catch (error) {
      this.#user.lost();
      await model.close().catch(() => {});
      throw error;
    }
  }

  /**
   * An error of the channel leaves the connection open. Therefore this closes the connection, which leads to a
   * new connection with a new channel.
   */
  #channelFailed(model: ChannelModel, error: unknown): void {
    const explained = explain(error, this.#url);
    if (!explained.canHeal && this.#model === model) this.#giveUp(explained);
    model.close().catch(() => {});
  }

  #giveUp(error: ServiceError): void {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    this.#user.failed(error);
  }

  #lost(error: unknown): void {
    this.#model = null;
    this.#user.lost();
    if (this.#closing.signal.aborted) return;
    this.#log.warn('broker connection lost', { place: placeOf(this.#url), reason: messageOf(error) });
    void this.#reconnect();
  }

  async #reconnect(): Promise<void> {
    const { signal } = this.#closing;
    for (let pauseMs = MIN_PAUSE_MS; ; pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2)) {
      await sleep(pauseMs * (0.5 + Math.random() / 2), signal);
      if (signal.aborted) return;
      try {
        await this.#connect();
        this.#log.info('broker connection restored', { place: placeOf(this.#url) });
        if (signal.aborted) await this.restart();
        return;
      } catch (error) {
        if (error instanceof ServiceError && !error.canHeal) return this.#giveUp(error);
      }
    }
  }
}

/** Runs `use` with a connection that is closed afterwards. Rejects with a `ServiceError` if RabbitMQ cannot be used. */
export async function withBroker(url: string, use: (model: ChannelModel) => Promise<void>): Promise<void> {
  try {
    const model = await connectOnce(url);
    try {
      await use(model);
    } finally {
      await model.close().catch(() => {});
    }
  } catch (error) {
    throw explain(error, url);
  }
}

async function connectOnce(url: string): Promise<ChannelModel> {
  const model = await connect(withHeartbeat(url), { timeout: CONNECT_MS, noDelay: true });
  // Without a listener, an error would end the process. The event `close` follows.
  model.on('error', () => {});
  return model;
}

function withHeartbeat(url: string): string {
  const withQuery = new URL(url);
  withQuery.searchParams.set('heartbeat', String(HEARTBEAT_SECONDS));
  return withQuery.href;
}

/** Converts an error of the client to one that names the service and the remedy. */
function explain(error: unknown, url: string): ServiceError {
  if (error instanceof ServiceError) return error;
  const place = placeOf(url);
  const { username, pathname } = new URL(url);
  const host = decodeURIComponent(pathname.slice(1)) || '/';
  const reason = messageOf(error);
  const fail = (name: string, canHeal: boolean, message: string) =>
    new ServiceError(name, 'rabbitmq', canHeal, message, { cause: error });
  const code = replyCodeOf(error);
  if (code === ACCESS_REFUSED && isHandshake(reason))
    return fail(
      'service-refused',
      false,
      `${place} refuses the user "${username}": expected a valid user name and password in the amqp:// URL; correct the URL or the password`,
    );
  if (code === ACCESS_REFUSED)
    return fail(
      'service-refused',
      false,
      `${place} does not allow the user "${username}" to use a queue (${reason}): grant configure, write and read on the virtual host "${host}"`,
    );
  if (code === NOT_ALLOWED)
    return fail(
      'no-virtual-host',
      false,
      `${place} has no virtual host "${host}", or the user "${username}" has no permissions on it: create it with rabbitmqctl add_vhost, grant permissions, or correct the amqp:// URL`,
    );
  if (code === PRECONDITION_FAILED)
    return fail(
      'queue-differs',
      false,
      `${place} has a queue with other properties (${reason}): delete the queue when it is empty, or use another virtual host`,
    );
  return fail(
    'service-unreachable',
    true,
    `${place} is unreachable (${systemCode(error) || reason}): check that the server runs and that the host and port of the amqp:// URL are correct`,
  );
}

/**
 * Returns the AMQP reply code of an error, or 0. For an error during the handshake the client keeps no code.
 * For a failed login its message contains the code; for a missing virtual host it only says that the server
 * closed the connection.
 */
function replyCodeOf(error: unknown): number {
  if (typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'number')
    return error.code;
  const message = messageOf(error);
  if (message.startsWith('Expected ConnectionOpenOk; got <ConnectionClose')) return NOT_ALLOWED;
  return Number(/\b(\d{3}) \([A-Z-]+\)/.exec(message)?.[1] ?? 0);
}

function isHandshake(reason: string): boolean {
  return reason.startsWith('Handshake');
}

/** Returns the name of the server without the password. */
function placeOf(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  return `RabbitMQ at ${hostname}:${port || (protocol === 'amqps:' ? 5671 : 5672)}`;
}
