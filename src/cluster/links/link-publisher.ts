/**
 * Publishes messages and keeps each until RabbitMQ has confirmed it. A quorum queue confirms a message when most of
 * its replicas have written it to disk. After a lost connection, all messages without a confirm are sent again, so a
 * message may arrive twice.
 *
 * RabbitMQ also confirms messages to a queue that does not exist. With the flag `mandatory`, RabbitMQ returns
 * such a message to the publisher before it confirms it. The publisher then declares the queue and sends the
 * message again.
 */
import type { ConfirmChannel } from 'amqplib';
import { GyreError, type Log, sleep } from '../../base/mod.ts';
import type { ServiceError } from '../service-error.ts';
import { BrokerConnection, type BrokerUser } from './broker-connection.ts';
import { declareDeadLetters, declareQueue } from './link-queues.ts';

/** `publish` waits while more bytes than this wait for a confirm. */
const MAX_UNCONFIRMED_BYTES = 16 << 20;
const RETRY_MS = 200;

interface OutgoingMessage {
  id: string;
  queue: string;
  bytes: Buffer;
  confirmed: PromiseWithResolvers<void>;
}

export class LinkPublisher implements BrokerUser {
  readonly #cluster: string;
  /** Messages without a confirm, by id, the oldest first. */
  readonly #unconfirmed = new Map<string, OutgoingMessage>();
  #unconfirmedBytes = 0;
  #lastId = 0;
  #channel: ConfirmChannel | null = null;
  /** The queues that exist, as far as this channel knows. */
  #declared = new Map<string, Promise<void>>();
  readonly #returned = new Set<string>();
  #failure: Error | null = null;
  #connection: BrokerConnection | null = null;

  private constructor(cluster: string) {
    this.#cluster = cluster;
  }

  static async open(url: string, cluster: string, log: Log): Promise<LinkPublisher> {
    const publisher = new LinkPublisher(cluster);
    publisher.#connection = await BrokerConnection.open(url, publisher, log);
    return publisher;
  }

  /** Publishes a message. Waits only if too many bytes are unconfirmed. */
  async publish(queue: string, bytes: Buffer): Promise<void> {
    if (this.#failure) throw this.#failure;
    const id = String(++this.#lastId);
    const message = { id, queue, bytes, confirmed: Promise.withResolvers<void>() };
    // The promise may be rejected before anyone waits for it.
    message.confirmed.promise.catch(() => {});
    this.#unconfirmed.set(id, message);
    this.#unconfirmedBytes += bytes.length;
    if (this.#channel) void this.#send(this.#channel, message);
    while (this.#unconfirmedBytes > MAX_UNCONFIRMED_BYTES) {
      const [oldest] = this.#unconfirmed.values();
      await oldest!.confirmed.promise;
    }
  }

  /** Resolves when all messages that were published before are confirmed. */
  async flush(): Promise<void> {
    if (this.#failure) throw this.#failure;
    await Promise.all(Array.from(this.#unconfirmed.values(), ({ confirmed }) => confirmed.promise));
  }

  async close(): Promise<void> {
    await this.#connection?.close();
    this.failed(new GyreError('exchange-closed', 'the link exchange was closed before all links were sent'));
  }

  async countDeadLetters(): Promise<number> {
    if (!this.#channel) throw new GyreError('not-connected', 'there is no connection to RabbitMQ');
    return await declareDeadLetters(this.#channel, this.#cluster);
  }

  async setUp(channel: ConfirmChannel): Promise<void> {
    this.#declared = new Map();
    await declareDeadLetters(channel, this.#cluster);
    channel.on('return', ({ properties }) => this.#returned.add(properties.messageId as string));
    this.#channel = channel;
    for (const message of this.#unconfirmed.values()) void this.#send(channel, message);
  }

  lost(): void {
    this.#channel = null;
  }

  failed(error: ServiceError | GyreError): void {
    this.#failure ??= error;
    for (const { confirmed } of this.#unconfirmed.values()) confirmed.reject(error);
    this.#unconfirmed.clear();
    this.#unconfirmedBytes = 0;
  }

  /** Sends a message. Errors of the channel are ignored here: the next channel sends the message again. */
  async #send(channel: ConfirmChannel, message: OutgoingMessage): Promise<void> {
    try {
      await this.#declare(channel, message.queue);
      if (channel !== this.#channel) return;
      const options = { persistent: true, mandatory: true, messageId: message.id };
      channel.publish('', message.queue, message.bytes, options, (error: unknown) =>
        this.#answered(channel, message, error),
      );
    } catch {}
  }

  #answered(channel: ConfirmChannel, message: OutgoingMessage, error: unknown): void {
    const isReturned = this.#returned.delete(message.id);
    if (!error && !isReturned) this.#confirmed(message);
    else if (channel === this.#channel) void this.#retry(channel, message);
  }

  #confirmed({ id, bytes, confirmed }: OutgoingMessage): void {
    if (!this.#unconfirmed.delete(id)) return;
    this.#unconfirmedBytes -= bytes.length;
    confirmed.resolve();
  }

  /** Sends a message again that RabbitMQ has refused or returned because its queue does not exist. */
  async #retry(channel: ConfirmChannel, message: OutgoingMessage): Promise<void> {
    this.#declared.delete(message.queue);
    await sleep(RETRY_MS);
    if (channel === this.#channel) await this.#send(channel, message);
  }

  #declare(channel: ConfirmChannel, queue: string): Promise<void> {
    const declared = this.#declared.get(queue) ?? declareQueue(channel, this.#cluster, queue);
    this.#declared.set(queue, declared);
    return declared;
  }
}
