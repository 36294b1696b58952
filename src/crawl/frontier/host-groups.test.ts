import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HostGroups } from './host-groups.ts';

function hostGroups(addressDelayMs: number) {
  const clock = { time: 1000, now: () => clock.time };
  const groups = [{ name: 'wiki', hosts: ['*.wiki.test', 'other.test'] }];
  return { clock, hostGroups: new HostGroups({ addressDelayMs, groups, clock }) };
}

const host = (name: string, address = '') => ({ origin: `http://${name}:8080`, address });

test('requests to one address start a delay apart', () => {
  const world = hostGroups(100);
  world.hostGroups.requestStarted(host('a.test', '192.0.2.1'));
  assert.equal(world.hostGroups.opensAt(host('b.test', '192.0.2.1')), 1100);
  assert.ok(world.hostGroups.opensAt(host('c.test', '192.0.2.2')) <= world.clock.time);
  assert.ok(world.hostGroups.opensAt(host('d.test')) <= world.clock.time);
});

test('the addresses of one IPv6 network count as one', () => {
  const world = hostGroups(100);
  world.hostGroups.requestStarted(host('a.test', '2001:db8:0:7::1'));
  assert.equal(world.hostGroups.opensAt(host('b.test', '2001:db8:0:7:aaaa:bbbb:cccc:1')), 1100);
  assert.equal(world.hostGroups.opensAt(host('c.test', '2001:db8:0:7::')), 1100);
  assert.ok(world.hostGroups.opensAt(host('d.test', '2001:db8:0:8::1')) <= world.clock.time);
  assert.ok(world.hostGroups.opensAt(host('e.test', '2001:db8::7')) <= world.clock.time);
});

test('loopback has no gate', () => {
  const world = hostGroups(100);
  world.hostGroups.requestStarted(host('a.test', '127.0.0.1'));
  assert.ok(world.hostGroups.opensAt(host('b.test', '127.0.0.1')) <= world.clock.time);
});

test('hosts of a group have one request in flight together', () => {
  const world = hostGroups(0);
  world.hostGroups.requestStarted(host('en.wiki.test'));
  assert.ok(world.hostGroups.opensAt(host('de.wiki.test')) > world.clock.time);
  assert.ok(world.hostGroups.opensAt(host('other.test')) > world.clock.time);
  assert.ok(world.hostGroups.opensAt(host('wiki.test')) <= world.clock.time);
  world.hostGroups.requestEnded(host('en.wiki.test'), 1500);
  assert.equal(world.hostGroups.opensAt(host('other.test')), 1500);
});

test('the origins of a host name have one request in flight together', () => {
  const world = hostGroups(0);
  world.hostGroups.requestStarted({ origin: 'http://a.test:8080', address: '' });
  assert.ok(world.hostGroups.opensAt({ origin: 'https://a.test', address: '' }) > world.clock.time);
  world.hostGroups.requestEnded({ origin: 'http://a.test:8080', address: '' }, 1700);
  assert.equal(world.hostGroups.opensAt({ origin: 'https://a.test', address: '' }), 1700);
  assert.ok(world.hostGroups.opensAt({ origin: 'https://b.test', address: '' }) <= world.clock.time);
});

test('a guest request closes the gate for the last delay of the host', () => {
  const world = hostGroups(0);
  world.hostGroups.requestStarted(host('a.test'));
  world.hostGroups.requestEnded(host('a.test'), world.clock.time + 900);
  world.clock.time += 900;
  world.hostGroups.requestStarted(host('a.test'));
  world.hostGroups.foreignRequestEnded(host('a.test'), 100);
  assert.equal(world.hostGroups.opensAt(host('a.test')), world.clock.time + 900);
  world.hostGroups.foreignRequestEnded(host('b.test'), 100);
  assert.equal(world.hostGroups.opensAt(host('b.test')), world.clock.time + 100);
});

test('the reason of a wait names the closed gate', () => {
  const world = hostGroups(100);
  world.hostGroups.requestStarted(host('en.wiki.test', '192.0.2.1'));
  const reason = world.hostGroups.reasonOf(host('de.wiki.test'));
  assert.ok(reason.code === 'host-group' && reason.isBusy);
  world.hostGroups.requestEnded(host('en.wiki.test', '192.0.2.1'), 0);
  const neighbour = host('neighbour.test', '192.0.2.1');
  assert.deepEqual(world.hostGroups.reasonOf(neighbour), { code: 'address', address: '192.0.2.1' });
});

test('new hosts with the same address get requests one after the other', () => {
  const { clock, hostGroups: address } = hostGroups(1000);
  for (const name of ['a', 'b']) address.requestStarted({ origin: `https://${name}.example`, address: '' });
  assert.equal(address.reserveAddress('192.0.2.1').kind, 'granted');
  const opensAt = clock.now() + 1000;
  assert.deepEqual(address.reserveAddress('192.0.2.1'), { kind: 'wait', untilMs: opensAt });
  assert.equal(address.opensAt({ origin: 'https://c.example', address: '192.0.2.1' }), opensAt);
  assert.equal(address.reserveAddress('192.0.2.2').kind, 'granted', 'another address');
  for (let time = 0; time < 2; time++)
    assert.equal(address.reserveAddress('127.0.0.1').kind, 'granted', 'loopback is exempt');
});
