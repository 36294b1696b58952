import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFooterLine, isNavigationLine } from './page-edges.ts';

test('rows of links to neighbouring pages are navigation, in several languages', () => {
  const rows = [
    'Prev',
    'Prev | Up | Next',
    '<<< Prev',
    '[Contents][Index]',
    'Previous | Contents | Index | Next',
    'Next: Log window, Previous: Menu, Up: Widgets [Contents][Index]',
    'Previous: Log window, Up: Dialog boxes and widgets [Contents][Index]',
    'Zurück · Weiter',
    'Siguiente: Uso, Anterior: Instalación',
    '前のページ 次のページ',
    'Next Previous Up Contents Next: CDS Upload Window Up: TOPCAT Windows Previous: Activation',
    '<< supplement (resource) <<',
    'A | B | C | D | E',
  ];
  assert.deepEqual(
    rows.filter((row) => !isNavigationLine(row)),
    [],
  );
});

test('headings, sentences and single names of places are not navigation', () => {
  const lines = [
    'Home',
    'Contents',
    'Next steps',
    'Set up the server',
    'Up: the direction of the first axis',
    'The next page explains how to go back.',
    'Index: a number',
    '42',
    '',
  ];
  assert.deepEqual(lines.filter(isNavigationLine), []);
});

test('a copyright line is a footer', () => {
  assert.equal(isFooterLine('© 2020 Ann', 10), true);
  assert.equal(isFooterLine('The copyright of a work belongs to its author.', 46), false);
});
