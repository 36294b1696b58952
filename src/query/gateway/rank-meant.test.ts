import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LateError } from '../deadline.ts';
import type { QueryEvidence, SearchRequest } from '../searcher.ts';
import { type RankedAnswer, rankMeant } from './rank-meant.ts';

const CORRECTIONS: Record<string, string> = { 'htpt clinet': 'http client', 'htpt client': 'http client' };

function correct(query: string) {
  const meant = CORRECTIONS[query];
  return meant === undefined ? null : { query: meant, changes: [{ typed: 'htpt', meant: 'http' }] };
}

/** Ranks queries that have the given totals, or 0; no evidence unless it is given. Remembers the ranked requests. */
class Engine {
  readonly asked: string[] = [];
  readonly #totals: Record<string, number>;
  readonly #evidence: Record<string, QueryEvidence>;

  constructor(totals: Record<string, number>, evidence: Record<string, QueryEvidence> = {}) {
    this.#totals = totals;
    this.#evidence = evidence;
  }

  async ask(query: string, rest: Partial<SearchRequest> = {}) {
    const request = { query, offset: 0, limit: 10, ...rest };
    const { ranked, spelling } = await rankMeant(request, (one) => this.#rank(one), correct);
    return { total: ranked.total, spelling };
  }

  async #rank({ query, offset }: SearchRequest): Promise<RankedAnswer> {
    this.asked.push(`${query} ${offset}`);
    const total = this.#totals[query] ?? 0;
    if (total < 0) throw new LateError();
    // Only `haveSameResults` reads these fields, to compare the totals and the shown documents.
    const results = { total, page: { shown: [] } } as unknown as RankedAnswer['results'];
    const evidence = this.#evidence[query] ?? null;
    return { query: {} as RankedAnswer['query'], results, total, partial: false, evidence };
  }
}

const HTTP_CLIENT = 'http client';
const AUTOMATIC = { query: HTTP_CLIENT, automatic: true };
const OFFERED = { query: HTTP_CLIENT, automatic: false };

const word = (typed: string, docCount: number) => ({ typed: [typed], docCount });
const evidenceOf = (coverage: number, ...words: QueryEvidence['words']): QueryEvidence => ({
  ...{ docCount: 100, coverage, inHeadings: 0, words },
});

test('a query without results is corrected automatically, on later pages too', async () => {
  const engine = new Engine({ 'http client': 70 });
  assert.deepEqual(await engine.ask('htpt clinet'), { total: 70, spelling: AUTOMATIC });
  assert.deepEqual(await engine.ask('htpt clinet', { offset: 10 }), { total: 70, spelling: AUTOMATIC });
  assert.equal(engine.asked.at(-1), 'http client 10');
});

test('a query with results is not corrected; a correction is offered on the first page', async () => {
  const engine = new Engine({ 'htpt client': 2, 'http client': 7 });
  assert.deepEqual(await engine.ask('htpt client'), { total: 2, spelling: OFFERED });
  assert.deepEqual(await engine.ask('htpt client', { offset: 10 }), { total: 2, spelling: null });
  assert.equal(engine.asked.at(-1), 'htpt client 10');
});

test('a correction beyond doubt is searched at once, on every page, unless the query is meant as typed', async () => {
  const engine = new Engine(
    { 'htpt client': 20, 'http client': 70 },
    {
      'htpt client': evidenceOf(0.5, word('htpt', 0), word('client', 20)),
      'http client': evidenceOf(1, word('http', 60), word('client', 20)),
    },
  );
  for (const offset of [0, 10])
    assert.deepEqual(await engine.ask('htpt client', { offset }), { total: 70, spelling: AUTOMATIC });
  assert.deepEqual(await engine.ask('htpt client', { asTyped: true }), { total: 20, spelling: null });
});

test('a query of common words is not corrected, nor one without a correction', async () => {
  const evidence = { 'htpt client': evidenceOf(1, word('htpt', 20), word('client', 20)) };
  const engine = new Engine({ 'htpt client': 20, 'http client': 70 }, evidence);
  assert.equal((await engine.ask('htpt client')).spelling, null);
  assert.equal((await engine.ask('http client')).spelling, null);
  assert.deepEqual(engine.asked, ['htpt client 0', 'http client 0']);
});

test('a correction with the same results, none, or no time for it is not offered', async () => {
  for (const total of [2, 0, -1]) {
    const engine = new Engine({ 'htpt client': 2, 'http client': total });
    assert.deepEqual(await engine.ask('htpt client'), { total: 2, spelling: null }, `${total} results`);
  }
});
