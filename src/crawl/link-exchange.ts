/**
 * Hands links to the owner of their host, who decides whether they are new. In a crawl by one process this is a
 * function call: the recorder receives what it sends, and commits it together with the page that had the links.
 *
 * An exchange between nodes groups the links by vnode (url/partition.ts). Its `flush` must not resolve before
 * every link that was sent is stored by its owner or in a durable queue. The sender commits the page only then,
 * so a crash repeats the page and loses no link. A link may arrive twice: the owner ignores URLs that it has
 * seen.
 */
import type { CanonicalUrl } from '../url/mod.ts';
import type { Links } from './parsing/mod.ts';

/** Receives links. `source` is the page that contains the links, or null for seeds. */
export type LinkReceiver = (links: Links, source: CanonicalUrl | null) => Promise<void>;

export interface LinkExchange {
  /** Registers the receiver of links to hosts that this node owns. Call it once, before the first `send`. */
  onReceived(receive: LinkReceiver): void;
  /** Sends links to their owners. Resolves when the buffers of `links` may be reused. */
  send(links: Links, source: CanonicalUrl | null): Promise<void>;
  flush(): Promise<void>;
}

/** The exchange of a crawl by a single process, which owns every host. */
export class DirectLinkExchange implements LinkExchange {
  #receive: LinkReceiver = async () => {
    throw new Error('no receiver of links');
  };

  onReceived(receive: LinkReceiver): void {
    this.#receive = receive;
  }

  send(links: Links, source: CanonicalUrl | null): Promise<void> {
    return this.#receive(links, source);
  }

  async flush(): Promise<void> {}
}
