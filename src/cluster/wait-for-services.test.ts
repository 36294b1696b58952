import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GyreError, type Log, silentLog } from '../base/mod.ts';
import { ServiceError } from './service-error.ts';
import { whileServicesHeal, withWaiting } from './wait-for-services.ts';

const AWAY = new ServiceError('service-unreachable', 's3', true, 'S3 is unreachable');
const REFUSED = new ServiceError('service-refused', 's3', false, 'S3 refuses the access key');

/** Returns a function that fails with each of the errors, and then returns how often it was called. */
function failing(...errors: unknown[]) {
  let calls = 0;
  return async () => {
    const error = errors[calls++];
    if (error) throw error;
    return calls;
  };
}

test('work is repeated until the service is back, and the wait is logged once', async () => {
  const lines: string[] = [];
  const log: Log = { ...silentLog, warn: (event) => lines.push(event), info: (event) => lines.push(event) };
  const waiting = { log, signal: new AbortController().signal };
  assert.equal(await whileServicesHeal(failing(AWAY, AWAY), waiting), 3);
  assert.deepEqual(lines, ['service away, waiting', 'service available again']);
});

test('a lost connection to PostgreSQL counts as a service that is away', async () => {
  const lost = Object.assign(new Error('write CONNECTION_CLOSED'), { code: 'CONNECTION_CLOSED' });
  const waiting = { log: silentLog, signal: new AbortController().signal };
  assert.equal(await whileServicesHeal(failing(lost), waiting), 2);
});

test('other errors and errors that cannot heal are not repeated', async () => {
  const waiting = { log: silentLog, signal: new AbortController().signal };
  await assert.rejects(whileServicesHeal(failing(REFUSED), waiting), REFUSED);
  const bug = new GyreError('stale-epoch', 'refused');
  await assert.rejects(whileServicesHeal(failing(bug), waiting), bug);
});

test('after the signal no work is repeated', async () => {
  const stopping = new AbortController();
  stopping.abort();
  await assert.rejects(whileServicesHeal(failing(AWAY), { log: silentLog, signal: stopping.signal }), AWAY);
});

test('the methods of an object wait, and keep their arguments and results', async () => {
  class Store {
    readonly #name = 'store';
    #isAway = true;

    async get(key: string): Promise<string> {
      const isAway = this.#isAway;
      this.#isAway = false;
      if (isAway) throw AWAY;
      return `${this.#name} ${key}`;
    }

    size(): number {
      return 7;
    }
  }
  const store = withWaiting(new Store(), { log: silentLog, signal: new AbortController().signal });
  assert.equal(await store.get('a'), 'store a');
  assert.equal(store.size(), 7);
});
