import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentType, formatNamed, isOfFormat } from './document-type.ts';

test('a document has the format of its content type and that of its URL, and may be a document in general', () => {
  const word = documentType('docx', '');
  const named = documentType('html', '', 'docm');
  assert.equal(named, 'html.docx');
  for (const type of [word, named]) {
    assert.ok(isOfFormat(type, 'docx'), type);
    assert.ok(isOfFormat(type, 'document'), type);
  }
  for (const format of ['pdf', 'pptx', 'xlsx', 'odt', 'odp', 'ods', 'epub'])
    assert.ok(isOfFormat(documentType(format, 'news', '', 'adult', true, ['a']), 'document'), format);
  for (const type of ['html', 'txt', 'html/news', 'html#document', '']) {
    assert.ok(!isOfFormat(type, 'document'), type);
    assert.ok(!isOfFormat(type, ''), type);
  }
  assert.equal(formatNamed('PPSX'), 'pptx');
});
