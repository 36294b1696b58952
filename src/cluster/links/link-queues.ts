/**
 * The queues of links: one quorum queue for each vnode, and one for dead letters.
 *
 * A vnode has its own queue, because a vnode is the unit that moves between nodes: the new owner continues to
 * consume the queue where the old owner stopped. With fewer queues, a node would receive links of vnodes that
 * it does not own. 256 quorum queues are well below the thousands that a RabbitMQ cluster supports.
 *
 * RabbitMQ moves a message to the dead letters if a consumer rejects it, or after DELIVERY_LIMIT deliveries
 * without an acknowledgement, for example if it crashes every node that reads it. The strategy `at-least-once` keeps
 * the message in its queue until the dead letters have it; it requires `reject-publish`.
 */
import type { Channel, Options } from 'amqplib';

const DELIVERY_LIMIT = 20;

export function queueOfVnode(cluster: string, vnode: number): string {
  return `${cluster}.links.${vnode}`;
}

export function deadLetterQueue(cluster: string): string {
  return `${cluster}.links.dead`;
}

/** Declares the queue of a vnode. Does nothing if it exists. */
export async function declareQueue(channel: Channel, cluster: string, queue: string): Promise<void> {
  await channel.assertQueue(queue, {
    ...QUORUM,
    arguments: {
      ...QUORUM.arguments,
      'x-delivery-limit': DELIVERY_LIMIT,
      'x-overflow': 'reject-publish',
      'x-dead-letter-exchange': '',
      'x-dead-letter-routing-key': deadLetterQueue(cluster),
      'x-dead-letter-strategy': 'at-least-once',
    },
  });
}

/** Declares the queue of dead letters and returns the number of its messages. */
export async function declareDeadLetters(channel: Channel, cluster: string): Promise<number> {
  return (await channel.assertQueue(deadLetterQueue(cluster), QUORUM)).messageCount;
}

const QUORUM: Options.AssertQueue = { durable: true, arguments: { 'x-queue-type': 'quorum' } };
