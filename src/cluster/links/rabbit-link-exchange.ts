/**
 * Exchanges links between the crawl nodes of a cluster through RabbitMQ.
 *
 *   send --own vnode-------> receiver of this node
 *        --other vnode-----> message of the vnode, until BATCH_BYTES or `flush` --> queue of the vnode --> its owner
 *
 * `flush` resolves when RabbitMQ has confirmed all messages. The sender commits a page after that, so a crash repeats
 * the page and loses no link. The owner acknowledges a message after its commit. A link can arrive twice in both
 * cases; the owner ignores URLs that it has seen.
 *
 * Publishing and consuming have a connection each: RabbitMQ blocks connections that publish while its memory is
 * full, and acknowledgements must still arrive then.
 */
import { GyreError, type Log } from '../../base/mod.ts';
import { type LinkExchange, type LinkReceiver, type Links, urlsOf } from '../../crawl/mod.ts';
import { type CanonicalUrl, type HostGroup, hostOf, partitionOf } from '../../url/mod.ts';
import { LinkConsumer } from './link-consumer.ts';
import { LinkMessageWriter, type OutgoingLink, packLinks, type SentLinks } from './link-message.ts';
import { LinkPublisher } from './link-publisher.ts';
import { queueOfVnode } from './link-queues.ts';

const BATCH_BYTES = 64 << 10;

export interface RabbitLinkExchangeOptions {
  /** The server, the user and the virtual host: `amqp://user:password@host/virtual-host`. */
  url: string;
  /** The beginning of the names of all queues. Clusters that share a virtual host have different names. */
  cluster: string;
  hostGroups: readonly HostGroup[];
  /**
   * Resolves when all links that the receiver took before this call are committed. Only then are their messages
   * acknowledged. A rejection returns the message to its queue.
   */
  untilCommitted(): Promise<void>;
  log: Log;
}

export class RabbitLinkExchange implements LinkExchange {
  readonly #options: RabbitLinkExchangeOptions;
  readonly #publisher: LinkPublisher;
  readonly #consumer: LinkConsumer;
  /** The messages that are not yet published, by vnode. */
  readonly #messages = new Map<number, LinkMessageWriter>();
  #owned: ReadonlySet<number> = new Set();
  #receive: LinkReceiver | null = null;

  private constructor(options: RabbitLinkExchangeOptions, publisher: LinkPublisher, consumer: LinkConsumer) {
    this.#options = options;
    this.#publisher = publisher;
    this.#consumer = consumer;
    consumer.onReceived((pages) => this.#store(pages));
  }

  /** Connects to RabbitMQ. Rejects with a `ServiceError` if that fails; later failures are retried while they may heal. */
  static async open(options: RabbitLinkExchangeOptions): Promise<RabbitLinkExchange> {
    const { url, cluster, log } = options;
    const publisher = await LinkPublisher.open(url, cluster, log);
    try {
      return new RabbitLinkExchange(options, publisher, await LinkConsumer.open(url, cluster, log));
    } catch (error) {
      await publisher.close();
      throw error;
    }
  }

  onReceived(receive: LinkReceiver): void {
    this.#receive = receive;
  }

  /**
   * Sets the vnodes that this node owns. Register a receiver before links can arrive. Resolves when the links that were received for
   * other vnodes are committed, so that these vnodes can be released.
   */
  async setOwned(vnodes: Iterable<number>): Promise<void> {
    this.#owned = new Set(vnodes);
    await this.#consumer.setQueues(
      Array.from(this.#owned, (vnode) => queueOfVnode(this.#options.cluster, vnode)),
    );
  }

  async send(links: Links, source: CanonicalUrl | null): Promise<void> {
    const byVnode = this.#divide(links);
    const own: OutgoingLink[] = [];
    for (const [vnode, found] of byVnode) {
      if (this.#owned.has(vnode)) for (const link of found) own.push(link);
      else await this.#enqueue(vnode, found, links.depth, source);
    }
    if (own.length > 0) await this.#deliver({ links: pack(own, links.depth), source });
  }

  async flush(): Promise<void> {
    for (const vnode of [...this.#messages.keys()]) await this.#publish(vnode);
    await this.#publisher.flush();
  }

  /** Returns the number of messages that no node could read or store. */
  countDeadLetters(): Promise<number> {
    return this.#publisher.countDeadLetters();
  }

  /** Closes the connections. Links that were not flushed are lost; messages that were not committed are delivered again. */
  async close(): Promise<void> {
    await Promise.all([this.#publisher.close(), this.#consumer.close()]);
  }

  #divide({ urls, followOnly }: Links): Map<number, OutgoingLink[]> {
    const isFollowOnly = new Set(followOnly);
    const vnodes = new Map<string, number>();
    const byVnode = new Map<number, OutgoingLink[]>();
    for (const [index, url] of urlsOf(urls).entries()) {
      const host = hostOf(url);
      let vnode = vnodes.get(host);
      if (vnode === undefined) {
        vnode = partitionOf(host, this.#options.hostGroups);
        vnodes.set(host, vnode);
      }
      const found = byVnode.get(vnode) ?? [];
      if (found.length === 0) byVnode.set(vnode, found);
      found.push({ url, isFollowOnly: isFollowOnly.has(index) });
    }
    return byVnode;
  }

  async #enqueue(
    vnode: number,
    links: readonly OutgoingLink[],
    depth: number,
    source: CanonicalUrl | null,
  ): Promise<void> {
    const message = this.#messages.get(vnode) ?? new LinkMessageWriter();
    this.#messages.set(vnode, message);
    message.add(links, depth, source);
    if (message.length >= BATCH_BYTES) await this.#publish(vnode);
  }

  async #publish(vnode: number): Promise<void> {
    const message = this.#messages.get(vnode);
    this.#messages.delete(vnode);
    if (message) await this.#publisher.publish(queueOfVnode(this.#options.cluster, vnode), message.finish());
  }

  async #store(pages: readonly SentLinks[]): Promise<void> {
    for (const page of pages) await this.#deliver(page);
    await this.#options.untilCommitted();
  }

  async #deliver({ links, source }: SentLinks): Promise<void> {
    if (!this.#receive) throw new GyreError('no-receiver', 'links arrived before a receiver was registered');
    await this.#receive(links, source);
  }
}

function pack(found: readonly OutgoingLink[], depth: number): Links {
  const urls = found.map(({ url }) => url);
  const followOnly = found.flatMap(({ isFollowOnly }, index) => (isFollowOnly ? [index] : []));
  return packLinks(urls, depth, followOnly);
}
