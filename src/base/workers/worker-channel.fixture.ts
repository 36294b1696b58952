/** The worker thread for tests of `WorkerChannel`. It runs the requested test case. */
import { UsageError } from '../errors.ts';
import { sendEvent, serveChannel } from './worker-channel.ts';

export interface Order {
  act: 'double' | 'fail' | 'refuse' | 'die' | 'wait' | 'tell';
  bytes?: Uint8Array<ArrayBuffer>;
}

serveChannel<Order, Uint8Array<ArrayBuffer>>({
  async handle({ act, bytes = new Uint8Array(0) }) {
    if (act === 'fail') throw new Error('failed here');
    if (act === 'refuse')
      throw new UsageError('bad-order', 'refused here; send another', { advice: 'send another' });
    if (act === 'die') process.exit(3);
    if (act === 'wait') await new Promise(() => {});
    if (act === 'tell') sendEvent('told');
    return bytes.map((byte) => 2 * byte);
  },
  transferOf: ({ buffer }) => [buffer],
});
