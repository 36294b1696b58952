import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findHostGroup, partitionOf, VNODES } from './partition.ts';

const GROUPS = [
  { name: 'campus', hosts: ['*.uni.example', 'library.test'] },
  { name: 'mirrors', hosts: ['library.test', 'mirror.test'] },
];

test('a vnode is a stable number below 256', () => {
  assert.equal(partitionOf('example.org'), 0x1a);
  for (let n = 0; n < 1000; n++) {
    const vnode = partitionOf(`host-${n}.test`);
    assert.ok(Number.isInteger(vnode) && vnode >= 0 && vnode < VNODES);
  }
});

test('all hosts of a registrable domain have one vnode', () => {
  for (const host of ['www.example.org', 'a.b.example.org']) {
    assert.equal(partitionOf(host), partitionOf('example.org'));
  }
  const tenants = Array.from({ length: 50 }, (_, n) => partitionOf(`tenant-${n}.github.io`));
  assert.ok(new Set(tenants).size > 25, 'a public suffix is not a domain');
});

test('all hosts of a group have one vnode, whatever their domains are', () => {
  const vnode = partitionOf('library.test', GROUPS);
  assert.equal(partitionOf('www.uni.example', GROUPS), vnode);
  assert.equal(partitionOf('physics.uni.example', GROUPS), vnode);
});

test('a host belongs to the first group that names it', () => {
  assert.equal(findHostGroup('library.test', GROUPS)?.name, 'campus');
  assert.equal(findHostGroup('mirror.test', GROUPS)?.name, 'mirrors');
  assert.equal(findHostGroup('uni.example', GROUPS), null);
});

test('an IP address is a domain of its own', () => {
  const vnodes = (addressOf: (n: number) => string) =>
    new Set(Array.from({ length: 50 }, (_, n) => partitionOf(addressOf(n)))).size;
  assert.ok(vnodes((n) => `192.0.2.${n}`) > 25);
  assert.ok(vnodes((n) => `[2001:db8::${n}]`) > 25);
});

test('domains spread evenly over the vnodes', () => {
  const counts = new Array<number>(VNODES).fill(0);
  for (let n = 0; n < VNODES * 100; n++) counts[partitionOf(`site${n}.example`)]!++;
  assert.ok(Math.min(...counts) > 50, `the emptiest vnode has ${Math.min(...counts)} of 100`);
  assert.ok(Math.max(...counts) < 150, `the fullest vnode has ${Math.max(...counts)} of 100`);
});
