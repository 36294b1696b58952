/** Tests the relevance desk on a small index: judgements, evaluations in a thread, and the gate. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { archivedRecord } from '../../archive/mod.ts';
import { silentLog, sleep, systemClock } from '../../base/mod.ts';
import { openCrawlState } from '../../crawl/mod.ts';
import { Importer } from '../../import/importer.ts';
import { DEFAULT_PROFILE } from '../../scoring/mod.ts';
import type { RelevanceDesk } from '../../serve/mod.ts';
import { readAudit } from '../access/mod.ts';
import { type DataDirectory, openData } from '../data-directory.ts';
import { profileInForce } from '../profiles/mod.ts';
import { buildOnce } from '../sessions/index-session.ts';
import { loadConfig } from '../settings/config.ts';
import { openRelevanceDesk } from './relevance-desk.ts';

const path = mkdtempSync(join(tmpdir(), 'gyre-desk-'));
const config = loadConfig({ environment: {}, flags: { data: path, model: 'off' }, file: undefined });
const WHO = 'web:olga@::1';
/** For each of these words there is a short page about it, which is judged good, and a long page that mentions it. */
const WORDS = [
  'keel',
  'mast',
  'rudder',
  'hull',
  'sail',
  'anchor',
  'tide',
  'harbour',
  'compass',
  'oar',
  'deck',
  'bow',
];

let data: DataDirectory;
let desk: RelevanceDesk;
let close: () => Promise<void>;

before(async () => {
  data = openData(path);
  const state = openCrawlState(data.root);
  const options = {
    software: 'Gyre test',
    clock: systemClock,
    firstMs: 1000,
    log: silentLog,
    rotateBytes: 1,
  };
  const importer = await Importer.open(data, state, options);
  for (const word of WORDS) {
    const other = Array.from({ length: 300 }, (_, at) => `${word}ish${at * at}`).join(' ');
    await importer.takeRecord(archivedRecord(recordOf(word, word, `The ${word} of a boat.`)), 'here');
    await importer.takeRecord(archivedRecord(recordOf(`x-${word}`, 'Notes', `${other} ${word}`)), 'here');
  }
  await importer.finish();
  importer.close();
  state.close();
  await buildOnce(data, config, silentLog, new AbortController().signal);
  mkdirSync(join(path, 'profiles'));
  writeProfile('worse', { weights: { length: 50 } });
  writeProfile('good', { k1: 1.25 });
  ({ desk, close } = openRelevanceDesk(data.root, () => config, null));
  for (const word of WORDS) {
    desk.judge(word, urlOf(word), 3, WHO);
    desk.judge(word, urlOf(`x-${word}`), 0, WHO);
  }
});

after(async () => {
  await close();
  rmSync(path, { recursive: true, force: true });
});

const urlOf = (name: string) => `http://example.org/${name}`;

function recordOf(name: string, title: string, text: string) {
  return {
    type: 'response',
    targetUri: urlOf(name),
    date: Date.UTC(2026, 0, 2),
    fields: new Map<string, string>(),
    block: Buffer.from(
      `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>${title}</title><p>${text}</p>`,
    ),
  };
}

function writeProfile(name: string, parts: object): void {
  const profile = { ...DEFAULT_PROFILE, name, ...parts };
  writeFileSync(join(path, 'profiles', `${name}.json`), JSON.stringify(profile));
}

async function evaluate(first: string, second: string) {
  desk.startEvaluation([first, second]);
  for (;;) {
    const state = desk.evaluationOf([first, second]);
    if (state.kind !== 'running') return state;
    await sleep(20);
  }
}

test('judgements are shown with their queries, and the audit log has who judged', () => {
  assert.deepEqual(desk.queries()[0], { text: 'keel', judged: 2, relevant: 1 });
  assert.equal(desk.gradeOf(' keel ', urlOf('keel')), 3);
  assert.equal(desk.gradeOf('keel', urlOf('mast')), null);
  const [line] = readAudit(data.root, 1);
  assert.deepEqual([line!.who, line!.action, line!.target], [WHO, 'judge', `bow: ${urlOf('x-bow')}`]);
  assert.equal(desk.withoutResults(), null);
});

test('a worse profile is measured, shown as worse, and refused', async () => {
  assert.throws(() => desk.publish('worse', WHO), { code: 'no-evaluation' });
  const state = await evaluate('default', 'worse');
  assert.ok(state.kind === 'done', JSON.stringify(state));
  assert.equal(state.queries, WORDS.length);
  const [nDCG, success] = state.measures;
  assert.deepEqual([nDCG!.name, nDCG!.first], ['nDCG@10', 1]);
  assert.ok(nDCG!.second < 0.9 && nDCG!.p < 0.01, JSON.stringify(nDCG));
  assert.deepEqual([success!.name, success!.first, success!.second], ['success@1', 1, 0]);
  assert.equal(state.changed.length, 10);
  assert.throws(() => desk.publish('worse', WHO), {
    code: 'worse-profile',
    message: /not published: worse is worse than default, nDCG@10 0\.\d+ instead of 1\.0000 \(p 0\.0/,
  });
  assert.equal(profileInForce(data.root, ''), DEFAULT_PROFILE);
});

test('both profiles answer a query, and names are never paths', async () => {
  const [first, second] = await desk.compareResults('keel', ['default', 'worse']);
  assert.equal(first[0]!.url, urlOf('keel'));
  assert.equal(second[0]!.url, urlOf('x-keel'));
  const file = join(path, 'profiles', 'good.json');
  await assert.rejects(desk.compareResults('keel', ['default', file]), { code: 'no-profile' });
});

test('a profile that is as good is published and rolled back, and new judgements need a new evaluation', async () => {
  assert.throws(() => desk.rollBack(WHO), { code: 'no-history' });
  assert.equal((await evaluate('default', 'good')).kind, 'done');
  desk.judge('starboard', urlOf('keel'), 1, WHO);
  assert.deepEqual(desk.evaluationOf(['default', 'good']), { kind: 'none' });
  assert.throws(() => desk.publish('good', WHO), { code: 'no-evaluation' });
  await evaluate('default', 'good');
  assert.match(desk.publish('good', WHO), /^good is published\. A running engine uses it within a second\./);
  assert.equal(profileInForce(data.root, '').k1, 1.25);
  const { inForce, previous, history, profiles } = desk.profiles();
  assert.deepEqual([inForce, previous, history[0]!.who], ['good', 'default', WHO]);
  assert.equal(profiles.find(({ name }) => name === 'good')!.evaluation!.queries, WORDS.length + 1);
  assert.match(desk.rollBack(WHO), /^default is in force again/);
  assert.equal(readAudit(data.root, 1)[0]!.action, 'roll-back-profile');
});
