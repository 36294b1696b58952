import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from '../../base/mod.ts';
import { AddressGuard, LOOPBACK } from './address-guard.ts';
import { Resolver } from './resolver.ts';

const clock = { now: () => 0 };

test('only public addresses are allowed unless they are listed', () => {
  const guard = new AddressGuard([]);
  const refused = [
    '127.0.0.1',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
  ];
  refused.push(
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fd00::1',
    'ff02::1',
    '::ffff:127.0.0.1',
  );
  refused.push('64:ff9b::7f00:1', '2002:7f00:1::', '::ffff:7f00:1', '::127.0.0.1', 'fec0::1', 'fe80::1%eth0');
  refused.push('', 'localhost', '127.1', '2130706433');
  for (const address of refused) assert.ok(!guard.allows(address), address);
  for (const address of ['93.184.216.34', '8.8.8.8', '2606:4700::1111'])
    assert.ok(guard.allows(address), address);
});

test('only the listed range is allowed in addition', () => {
  const guard = new AddressGuard([...LOOPBACK, '10.1.0.0/16', '192.168.7.7']);
  for (const address of ['127.0.0.1', '::1', '10.1.255.1', '192.168.7.7'])
    assert.ok(guard.allows(address), address);
  for (const address of ['10.2.0.1', '192.168.7.8']) assert.ok(!guard.allows(address), address);
});

test('the error for an invalid range has the range', () => {
  for (const range of ['10.0.0.0/33', 'example.org', '10.0.0.0/x', '/8']) {
    assert.throws(
      () => new AddressGuard([range]),
      (error: unknown) => {
        return error instanceof UsageError && error.message.includes(`"${range}"`);
      },
    );
  }
});

function lookup(resolver: Resolver, name: string): Promise<string> {
  return new Promise((resolve, reject) => {
    resolver.lookup(name, { all: true }, (error, addresses) => {
      if (error) reject(error);
      else resolve((addresses as { address: string }[]).map(({ address }) => address).join(' '));
    });
  });
}

test('pinned names and names under localhost are resolved without DNS', async () => {
  const resolver = new Resolver(
    { '*.test': '127.0.0.1', 'one.example': '127.0.0.2' },
    new AddressGuard(LOOPBACK),
    clock,
  );
  assert.equal(await lookup(resolver, 'a.b.test'), '127.0.0.1');
  assert.equal(await lookup(resolver, 'one.example'), '127.0.0.2');
  assert.equal(await lookup(resolver, 'undici.localhost'), '127.0.0.1');
});

test('a name that resolves to a refused address is refused', async () => {
  const resolver = new Resolver({ 'evil.example': '169.254.169.254' }, new AddressGuard([]), clock);
  await assert.rejects(lookup(resolver, 'evil.example'), { code: 'address-refused' });
  await assert.rejects(lookup(resolver, 'localhost'), { code: 'address-refused' });
});

test('an address is looked up again when the time in the cache is over', async () => {
  let lookups = 0;
  const dns = {
    addressesOf: async () => {
      lookups++;
      return [{ address: '127.0.0.1', family: 4 }];
    },
  };
  const time = { ms: 0 };
  const guard = new AddressGuard(LOOPBACK);
  const resolver = new Resolver({}, guard, { now: () => time.ms }, 1000, dns);
  for (const [ms, expected] of [
    [0, 1],
    [999, 1],
    [1000, 2],
  ] as const) {
    time.ms = ms;
    assert.equal(await lookup(resolver, 'cached.example'), '127.0.0.1');
    assert.equal(lookups, expected, `at ${ms} ms`);
  }
});
