/**
 * Counts the messages that wait in the queues of a cluster, for `gyre status`. Nothing is declared: a queue that no
 * node has used yet does not exist and counts as empty.
 *
 * RabbitMQ closes a channel that asks for a missing queue, so the next queue needs a new channel. There are 257
 * queues, and a channel can ask for only one queue at a time, so several channels are used at once.
 */
import type { Channel, ChannelModel } from 'amqplib';
import { VNODES } from '../../url/mod.ts';
import { withBroker } from './broker-connection.ts';
import { deadLetterQueue, queueOfVnode } from './link-queues.ts';

const CHANNELS = 8;
/** The reply code of AMQP 0-9-1 for a missing queue. */
const NOT_FOUND = 404;

export interface QueueDepths {
  /** Messages in the queues of all vnodes. Messages that a node is storing do not count. */
  waiting: number;
  /** The number of vnodes whose queues exist. */
  queues: number;
  deadLetters: number;
  /** The name of the queue of dead letters. */
  deadLetterQueue: string;
}

/** Reads the depths of all queues. Rejects with a `ServiceError` if RabbitMQ cannot be used. */
export async function readQueueDepths(url: string, cluster: string): Promise<QueueDepths> {
  const dead = deadLetterQueue(cluster);
  const left = [dead, ...Array.from({ length: VNODES }, (_, vnode) => queueOfVnode(cluster, vnode))];
  const depths = new Map<string, number>();
  await withBroker(url, async (model) => {
    await Promise.all(Array.from({ length: CHANNELS }, () => countMessages(model, left, depths)));
  });
  const deadLetters = depths.get(dead) ?? 0;
  depths.delete(dead);
  const waiting = depths.values().reduce((sum, count) => sum + count, 0);
  return { waiting, queues: depths.size, deadLetters, deadLetterQueue: dead };
}

/** Counts the dead letters. Rejects with a `ServiceError` if RabbitMQ cannot be used. */
export async function readDeadLetterCount(url: string, cluster: string): Promise<number> {
  const dead = deadLetterQueue(cluster);
  const depths = new Map<string, number>();
  await withBroker(url, (model) => countMessages(model, [dead], depths));
  return depths.get(dead) ?? 0;
}

/** Takes queues from `left` until it is empty, and sets the depths of the queues that exist. */
async function countMessages(model: ChannelModel, left: string[], depths: Map<string, number>) {
  let channel: Channel | null = null;
  for (let queue = left.pop(); queue !== undefined; queue = left.pop()) {
    channel ??= await openChannel(model);
    try {
      depths.set(queue, (await channel.checkQueue(queue)).messageCount);
    } catch (error) {
      if ((error as { code?: unknown }).code !== NOT_FOUND) throw error;
      channel = null;
    }
  }
}

async function openChannel(model: ChannelModel): Promise<Channel> {
  const channel = await model.createChannel();
  // The call in flight is rejected with the same error. Without a listener, the error would end the process.
  channel.on('error', () => {});
  return channel;
}
