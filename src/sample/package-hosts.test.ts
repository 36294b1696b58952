import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostOfPackage } from './package-hosts.ts';

const cases: [name: string, host: string | null][] = [
  ['undici', 'undici.localhost'],
  ['ipaddr.js', 'ipaddr.js.localhost'],
  ['@types/node', 'node.types.localhost'],
  ['JSONStream', 'jsonstream.localhost'],
  ['a..b', null],
  ['.hidden', null],
  ['what?', null],
  ['@scope/', null],
  ['a/b/c', null],
  ['x'.repeat(64), null],
];

for (const [name, host] of cases) {
  test(`the package ${name} has the host ${host ?? 'none'}`, () => assert.equal(hostOfPackage(name), host));
}
