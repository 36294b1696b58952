/**
 * The dead letters of a cluster: messages with links that no node could read, or that no node has stored after many
 * deliveries. They stay until they are sent again, for example after an upgrade of the nodes, or deleted.
 */
import type { ConfirmChannel, GetMessage } from 'amqplib';
import { messageOf } from '../../base/mod.ts';
import { urlsOf } from '../../crawl/mod.ts';
import { withBroker } from './broker-connection.ts';
import { decodeLinkMessage } from './link-message.ts';
import { deadLetterQueue, declareDeadLetters } from './link-queues.ts';

export interface DeadLetter {
  /** The queue of the vnode to which the message was sent; null if RabbitMQ does not say it. */
  queue: string | null;
  /** The reason as RabbitMQ says it: `rejected` by a node, or `delivery_limit`. */
  reason: string;
  sizeBytes: number;
  /** Some of the linked URLs; empty if this version of Gyre cannot read the message. */
  urls: string[];
  urlCount: number;
  /** Why this version of Gyre cannot read the message; null if it can. */
  problem: string | null;
}

const SHOWN_URLS = 5;

/** Returns up to `limit` dead letters. They stay where they are. */
export async function readDeadLetters(url: string, cluster: string, limit: number): Promise<DeadLetter[]> {
  const letters: DeadLetter[] = [];
  await withDeadLetters(url, cluster, async (channel, take) => {
    for (let message = await take(); message && letters.length < limit; message = await take())
      letters.push(describe(message));
    channel.nackAll(true);
  });
  return letters;
}

/** Sends all dead letters to their queues again. Returns their number. Those that cannot be sent stay. */
export async function resendDeadLetters(url: string, cluster: string): Promise<number> {
  let sent = 0;
  await withDeadLetters(url, cluster, async (channel, take, count) => {
    for (let left = count; left > 0; left--) {
      const message = await take();
      if (!message) break;
      const queue = originOf(message);
      if (queue === null) continue;
      channel.sendToQueue(queue, message.content, { persistent: true });
      await channel.waitForConfirms();
      channel.ack(message);
      sent++;
    }
    channel.nackAll(true);
  });
  return sent;
}

/** Deletes all dead letters. Returns their number. */
export async function deleteDeadLetters(url: string, cluster: string): Promise<number> {
  let deleted = 0;
  await withDeadLetters(url, cluster, async (channel) => {
    deleted = (await channel.purgeQueue(deadLetterQueue(cluster))).messageCount;
  });
  return deleted;
}

async function withDeadLetters(
  url: string,
  cluster: string,
  use: (channel: ConfirmChannel, take: () => Promise<GetMessage | false>, count: number) => Promise<void>,
): Promise<void> {
  await withBroker(url, async (model) => {
    const channel = await model.createConfirmChannel();
    // The call in flight is rejected with the same error. Without a listener, the error would end the process.
    channel.on('error', () => {});
    const count = await declareDeadLetters(channel, cluster);
    await use(channel, () => channel.get(deadLetterQueue(cluster)), count);
    await channel.close();
  });
}

function describe(message: GetMessage): DeadLetter {
  const { content, properties } = message;
  const reason = String(properties.headers?.['x-first-death-reason'] ?? 'unknown');
  const known = { queue: originOf(message), reason, sizeBytes: content.length };
  try {
    const urls = decodeLinkMessage(content).flatMap(({ links }) => urlsOf(links.urls));
    return { ...known, urls: urls.slice(0, SHOWN_URLS), urlCount: urls.length, problem: null };
  } catch (error) {
    return { ...known, urls: [], urlCount: 0, problem: messageOf(error) };
  }
}

function originOf({ properties }: GetMessage): string | null {
  const queue: unknown = properties.headers?.['x-first-death-queue'];
  return typeof queue === 'string' ? queue : null;
}
