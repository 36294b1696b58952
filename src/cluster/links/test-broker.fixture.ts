/** RabbitMQ for tests: the server that TEST_RABBITMQ_URL names, or one that ends with the process. */
import { randomBytes } from 'node:crypto';
import { after, type TestContext } from 'node:test';
import { connect } from 'amqplib';
import { silentLog } from '../../base/mod.ts';
import { startService } from '../test-service.fixture.ts';
import { deadLetterQueue, queueOfVnode } from './link-queues.ts';
import { RabbitLinkExchange, type RabbitLinkExchangeOptions } from './rabbit-link-exchange.ts';

let stopServer = async () => {};
after(() => stopServer());

export const brokerUrl = process.env.TEST_RABBITMQ_URL ?? (await startServer());

async function startServer(): Promise<string> {
  const { values, stop } = await startService('rabbitmq', ['TEST_RABBITMQ_URL']);
  stopServer = stop;
  return values[0]!;
}

/** Returns a name that no other test uses. The queues with this name are deleted after the test. */
export function createCluster(t: TestContext, url = brokerUrl): string {
  const cluster = `test-${randomBytes(6).toString('hex')}`;
  t.after(() =>
    withChannel(url, async (channel) => {
      const vnodes = Array.from({ length: 256 }, (_, vnode) => queueOfVnode(cluster, vnode));
      for (const queue of [...vnodes, deadLetterQueue(cluster)]) await channel.deleteQueue(queue);
    }),
  );
  return cluster;
}

type Channel = Awaited<ReturnType<Awaited<ReturnType<typeof connect>>['createConfirmChannel']>>;

/** Runs `use` with a channel of its own. */
export async function withChannel<T>(url: string, use: (channel: Channel) => Promise<T>): Promise<T> {
  const model = await connect(url);
  try {
    return await use(await model.createConfirmChannel());
  } finally {
    await model.close();
  }
}

/** Opens the exchange of a node, which is closed after the test. */
export async function openExchange(
  t: TestContext,
  options: Partial<RabbitLinkExchangeOptions> & { cluster: string },
): Promise<RabbitLinkExchange> {
  const exchange = await RabbitLinkExchange.open({
    url: brokerUrl,
    hostGroups: [],
    untilCommitted: async () => {},
    log: silentLog,
    ...options,
  });
  t.after(() => exchange.close());
  return exchange;
}
