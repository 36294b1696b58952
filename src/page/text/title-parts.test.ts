import assert from 'node:assert/strict';
import { test } from 'node:test';
import { subjectRange, titleParts } from './title-parts.ts';

test('the name of the site is found after or before the name of the page', () => {
  const table: [title: string, host: string, before: string, name: string, after: string][] = [
    ['Sorting — Acme 1.5 documentation', 'example.org', '', 'Sorting', ' — Acme 1.5 documentation'],
    ['a — b: c — Acme 1.5 documentation', 'example.org', '', 'a — b: c', ' — Acme 1.5 documentation'],
    ['acme::sort - acmereference.com', 'en.acmereference.com', '', 'acme::sort', ' - acmereference.com'],
    ['Path | Acme.js v18', 'acme.example:8600', '', 'Path', ' | Acme.js v18'],
    ['Map (Acme SE 17 (beta))', 'docs.acme.org', '', 'Map', ' (Acme SE 17 (beta))'],
    ['Acme: Reductions', 'acme.org', 'Acme: ', 'Reductions', ''],
    ['Acme -- Maps', 'www.acme.org', 'Acme -- ', 'Maps', ''],
    ['Rivers - a short history', 'example.org', '', 'Rivers - a short history', ''],
    ["Acme User's Guide: 3.2 Maps", 'acme.org', "Acme User's Guide: ", '3.2 Maps', ''],
    ['Big Acme 10 (10.1) - The Acme Pool', 'acme.org', 'Big Acme 10 (10.1) - ', 'The Acme Pool', ''],
    ['Moving to Acme 2.0: a story', 'acme.org', '', 'Moving to Acme 2.0: a story', ''],
    ['Map (mathematics)', 'acme.org', '', 'Map (mathematics)', ''],
    ['Acme documentation', 'acme.org', '', 'Acme documentation', ''],
    ['Note: see below', 'acme.org', '', 'Note: see below', ''],
    ['', 'acme.org', '', '', ''],
  ];
  for (const [title, host, before, name, after] of table)
    assert.deepEqual(titleParts(title, host), { before, name, after }, title);
});

test('the subject of a title leaves out the name of the site and a section number', () => {
  const table: [title: string, subject: string][] = [
    ['Sorting — Acme 1.5 documentation', 'Sorting'],
    ['Acme: Reductions', 'Reductions'],
    ['8.14. JSON Types', 'JSON Types'],
    ['Chapter 3. Choosing a map (Acme)', 'Choosing a map'],
    ['F.38. acme_fdw', 'acme_fdw'],
    ['3.', '3.'],
    ['2001: A Space Odyssey', '2001: A Space Odyssey'],
    ['', ''],
  ];
  for (const [title, subject] of table) {
    const { start, end } = subjectRange(title, 'docs.acme.org');
    assert.equal(title.slice(start, end), subject);
  }
});
