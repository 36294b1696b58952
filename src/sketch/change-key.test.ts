import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Range } from '../page/mod.ts';
import { changeKey } from './change-key.ts';

function keyOf(text: string, language = 'en'): number {
  return changeKey({ title: 'A page', language, text });
}

test('dates, times, ages and counts of views are no changes', () => {
  const table: [language: string, before: string, after: string][] = [
    ['en', 'Today is Tuesday, November 5, 2024.', 'Today is Wednesday, December 6, 2024.'],
    ['en', 'Updated 2024-11-05T10:00:00.123Z by us', 'Updated 2025-01-31T22:59:01.4Z by us'],
    ['en', 'Tue, 05 Nov 2024 10:00:00 GMT', 'Sun, 1 Dec 2024 23:59:59 GMT'],
    ['en', 'It is 10:33 PM here', 'It is 9:05 AM here'],
    ['en', 'Written 3 hours ago', 'Written 1 day ago'],
    ['en', 'It has 1,204 views', 'It has 2.5k views'],
    ['de', 'Heute ist Dienstag, der 5. November 2024', 'Heute ist Dienstag, der 12. März 2025'],
    ['de', 'vor 3 Stunden geschrieben', 'vor 1 Tag geschrieben'],
    ['de', 'Stand: 05.11.2024, 14:33 Uhr', 'Stand: 06.12.2024, 9:01 Uhr'],
    ['es-mx', 'el 5 de noviembre de 2024', 'el 12 de enero de 2025'],
    ['ja', '2024年11月5日に', '2025年1月12日に'],
    ['ru', 'обновлено 5 ноября 2024', 'обновлено 12 мая 2025'],
    ['', 'on 5 May 2024', 'on 6 June 2024'],
    ['not a language', 'on 5 May 2024', 'on 6 June 2024'],
  ];
  for (const [language, before, after] of table)
    assert.equal(keyOf(before, language), keyOf(after, language), `${before} -> ${after}`);
});

test('prices, other numbers and words are changes', () => {
  const table: [before: string, after: string][] = [
    ['It costs $19.99 today', 'It costs $18.99 today'],
    ['costs 2024 euros', 'costs 2025 euros'],
    ['version 1.10.2', 'version 1.10.3'],
    ['14 left', '13 left'],
    ['5 may come', '5 must come'],
    ['ages 3 hours', 'ages 4 hours'],
    ['we won 2:1', 'we won 3:1'],
    ['The salary is 3,000', 'The salary is 3,100'],
  ];
  for (const [before, after] of table) assert.notEqual(keyOf(before), keyOf(after), `${before} -> ${after}`);
  assert.notEqual(keyOf('表 5 11 終', 'ja'), keyOf('表 6 12 終', 'ja'));
  const long = 'prose without numbers '.repeat(50);
  assert.notEqual(keyOf(`${long} 5 pots ${long} end`), keyOf(`${long} 6 pots ${long} end`));
  assert.notEqual(keyOf(`${long} on 5 May ${long} end`), keyOf(`${long} on 5 May ${long} done`));
  assert.equal(keyOf(`${long} on 5 May ${long} end`), keyOf(`${long} on 12 June ${long} end`));
});

test('boilerplate is left out, unless the page has nothing else', () => {
  const key = (text: string, boilerplate: Range[]) =>
    changeKey({ title: 'A page', language: 'en', text, boilerplate });
  const [one, other] = ['Buy clay. The content', 'Buy pots. The content'];
  assert.equal(key(one, [[0, 9]]), key(other, [[0, 9]]));
  assert.notEqual(key(one, [[0, one.length]]), key(other, [[0, other.length]]));
});

test('a hostile text costs little', () => {
  for (const part of ['1', '1.', 'Monday ', '1 May, ', '12:']) {
    const startedAt = process.cpuUsage().user;
    keyOf(part.repeat(200_000));
    const elapsedMs = (process.cpuUsage().user - startedAt) / 1000;
    assert.ok(elapsedMs < 2_000, `${part}: ${elapsedMs} ms`);
  }
});
