/**
 * Consumes the queues of the vnodes that this node owns. A message is acknowledged after its links are stored:
 *
 *   delivered --stored----------------------> acknowledged
 *   delivered --malformed, other version----> rejected: RabbitMQ moves it to the dead letters
 *   delivered --storing fails for now--------> stored again after a pause
 *   delivered --storing fails otherwise-----> returned to the queue; after too many deliveries a dead letter
 *   delivered --connection lost-------------> RabbitMQ delivers it again, here or to the next owner
 */
import type { ConfirmChannel, ConsumeMessage } from 'amqplib';
import { GyreError, type Log, messageOf, sleep } from '../../base/mod.ts';
import { ServiceError } from '../service-error.ts';
import { BrokerConnection, type BrokerUser } from './broker-connection.ts';
import { decodeLinkMessage, type SentLinks } from './link-message.ts';
import { declareDeadLetters, declareQueue } from './link-queues.ts';

/** The number of messages of one queue that may wait until they are stored. */
const PREFETCH = 16;
const RETRY_MS = 500;

/** Stores links. The promise resolves when they are stored. */
type StoreLinks = (pages: readonly SentLinks[]) => Promise<void>;

interface Subscription {
  tag: string;
  /** The deliveries that are neither acknowledged nor rejected. */
  inFlight: Set<Promise<void>>;
}

export class LinkConsumer implements BrokerUser {
  readonly #cluster: string;
  #store: StoreLinks | null = null;
  readonly #log: Log;
  readonly #closing = new AbortController();
  #channel: ConfirmChannel | null = null;
  #queues: readonly string[] = [];
  /** The subscriptions of this channel by queue. */
  #subscriptions = new Map<string, Subscription>();
  /** Changes of the subscriptions run one after another. */
  #lastChange: Promise<void> = Promise.resolve();
  #failure: Error | null = null;
  #connection: BrokerConnection | null = null;

  private constructor(cluster: string, log: Log) {
    this.#cluster = cluster;
    this.#log = log;
  }

  static async open(url: string, cluster: string, log: Log): Promise<LinkConsumer> {
    const consumer = new LinkConsumer(cluster, log);
    consumer.#connection = await BrokerConnection.open(url, consumer, log);
    return consumer;
  }

  /** Registers the function that stores links. Call it once, before `setQueues`. */
  onReceived(store: StoreLinks): void {
    this.#store = store;
  }

  /**
   * Consumes from these queues only. Resolves when the deliveries of other queues are acknowledged, so that
   * their vnodes can be released. If the connection is lost, the next connection has the new subscriptions.
   */
  async setQueues(queues: readonly string[]): Promise<void> {
    if (this.#failure) throw this.#failure;
    this.#queues = [...queues];
    await this.#change();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#connection?.close();
  }

  async setUp(channel: ConfirmChannel): Promise<void> {
    await declareDeadLetters(channel, this.#cluster);
    await channel.prefetch(PREFETCH);
    this.#subscriptions = new Map();
    this.#channel = channel;
    await this.#change();
  }

  lost(): void {
    this.#channel = null;
  }

  failed(error: ServiceError): void {
    this.#failure = error;
    this.#log.error('broker connection failed', { reason: error.message });
  }

  #change(): Promise<void> {
    this.#lastChange = this.#lastChange.catch(() => {}).then(() => this.#subscribe());
    return this.#lastChange;
  }

  async #subscribe(): Promise<void> {
    const channel = this.#channel;
    if (!channel) return;
    try {
      const wanted = new Set(this.#queues);
      const removed = [...this.#subscriptions].filter(([queue]) => !wanted.has(queue));
      await Promise.all(removed.map(([queue, subscription]) => this.#remove(channel, queue, subscription)));
      for (const queue of wanted) if (!this.#subscriptions.has(queue)) await this.#add(channel, queue);
    } catch (error) {
      // If the channel was lost in the meantime, the next channel subscribes.
      if (channel === this.#channel) throw error;
    }
  }

  async #add(channel: ConfirmChannel, queue: string): Promise<void> {
    await declareQueue(channel, this.#cluster, queue);
    const inFlight = new Set<Promise<void>>();
    const receive = (message: ConsumeMessage | null) => {
      // RabbitMQ has cancelled the subscription, for example because the queue was deleted.
      if (message === null) return void this.#connection?.restart();
      const handled = this.#handle(channel, message).finally(() => inFlight.delete(handled));
      inFlight.add(handled);
    };
    const { consumerTag: tag } = await channel.consume(queue, receive);
    this.#subscriptions.set(queue, { tag, inFlight });
  }

  async #remove(channel: ConfirmChannel, queue: string, { tag, inFlight }: Subscription): Promise<void> {
    this.#subscriptions.delete(queue);
    await channel.cancel(tag);
    await Promise.all(inFlight);
  }

  async #handle(channel: ConfirmChannel, message: ConsumeMessage): Promise<void> {
    const queue = message.fields.routingKey;
    let pages: SentLinks[];
    try {
      pages = decodeLinkMessage(message.content);
    } catch (error) {
      if (!(error instanceof GyreError)) throw error;
      this.#log.warn('message rejected', { queue, reason: error.message });
      this.#answer(channel, () => channel.nack(message, false, false));
      return;
    }
    if (await this.#stored(pages, queue)) this.#answer(channel, () => channel.ack(message));
    else this.#answer(channel, () => channel.nack(message, false, true));
  }

  /** Stores the links of a delivery. Returns false if this node cannot store them. */
  async #stored(pages: readonly SentLinks[], queue: string): Promise<boolean> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        await this.#store!(pages);
        return true;
      } catch (error) {
        this.#log.warn('received links not stored', { queue, reason: messageOf(error) });
        await sleep(RETRY_MS, signal);
        if (!(error instanceof ServiceError && error.canHeal)) return false;
      }
    }
    return false;
  }

  /**
   * Acknowledges or rejects a delivery, unless its channel was lost: then RabbitMQ delivers the message again.
   */
  #answer(channel: ConfirmChannel, answer: () => void): void {
    if (channel === this.#channel) answer();
  }
}
