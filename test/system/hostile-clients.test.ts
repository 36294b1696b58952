/**
 * Tests the short form of every hostile client: other searches get responses meanwhile, the server survives,
 * and it refuses the requests that it should refuse. `npm run attack` checks the limits on times and memory,
 * and needs an idle machine.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startHostileClient } from '../attack/attacker.ts';
import { HOSTILE_CLIENTS } from '../attack/catalogue.ts';
import { probe } from '../attack/probe.ts';
import { interrupt, isRunning } from '../attack/program.ts';
import { prepareSearchedData, type SearchedData, startTarget } from '../attack/search-witness.ts';

const PROBE_SECONDS = 1.5;
/**
 * The minimum share of searches that are not refused. It is only half, because the machine may be busy. No
 * search may hang.
 */
const ANSWERED_SHARE = 0.5;
const INTERRUPT_SECONDS = 10;

let data: SearchedData;
before(async () => {
  data = await prepareSearchedData();
});
after(() => data.remove());

for (const attack of HOSTILE_CLIENTS) {
  if (attack.isControl) continue;
  test(`${attack.name}: an honest searcher gets responses`, async () => {
    const { program, target } = await startTarget(data, attack.target, attack.settings);
    const client = startHostileClient(attack, 'short', target);
    try {
      const { sent, refused, hung } = await probe(attack.target, target.port, data.words, PROBE_SECONDS);
      assert.ok(isRunning(program), `the server ended: ${program.stderr}`);
      assert.equal(hung, 0, `${hung} of ${sent} searches hang: ${attack.what}`);
      assert.ok(refused <= (1 - ANSWERED_SHARE) * sent, `${refused} of ${sent} searches are refused`);
      if (attack.endsByItself) await client.finished;
      const seconds = await interrupt(program);
      assert.ok(seconds < INTERRUPT_SECONDS, `SIGINT took ${seconds} s`);
      assert.deepEqual(await client.stop(), []);
    } finally {
      await client.stop();
      if (isRunning(program)) await program.kill('SIGKILL');
    }
  });
}
