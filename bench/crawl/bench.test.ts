import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { BenchRow } from '../report.ts';
import { startTinyWeb } from '../tiny-web.fixture.ts';

async function runBench(...options: string[]) {
  const script = join(import.meta.dirname, 'main.ts');
  const args = ['--disable-warning=ExperimentalWarning', script, ...options, '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout.trimEnd().split('\n').at(-1)!) as {
    rows: BenchRow[];
    ratios: Record<string, number>;
  };
}

test('real pages are measured with and without PDF files, beside the synthetic web', async (context) => {
  const names = Array.from({ length: 8 }, (_, n) => `${n}.html`);
  const links = [...names, 'a.pdf', 'b.pdf'].map((name) => `<a href="/${name}">${name}</a>`).join(' ');
  const pages = Object.fromEntries([
    ['a.docs.test/', `<title>Index</title><p>All files are listed here: ${links}</p>`],
    ...names.map((name) => [`a.docs.test/${name}`, `<title>Page ${name}</title><p>About ${name}.</p>`]),
    ...['a.pdf', 'b.pdf'].map((name) => [`a.docs.test/${name}`, pdfOf(name)]),
  ]);
  const directory = await startTinyWeb(context, pages, ['a.docs.test/']);
  const { rows, ratios } = await runBench(
    ...['--dir', directory, '--only', 'gyre', '--only', 'real', '--pages', '30', '--hosts', '3'],
  );
  assert.deepEqual(
    rows.map(({ name, pages, pdfs }) => [name, pages, pdfs]),
    [
      ['gyre', 30, 0],
      ['real HTML', 9, 0],
      ['real HTML and PDF', 11, 2],
    ],
  );
  for (const row of rows)
    for (const column of ['MB', 'cpuSecondsPerMB', 'htmlPerSecond', 'peakRssMB'])
      assert.ok(Number(row[column]) > 0, `${row.name}: ${column}`);
  assert.ok(ratios.realCpuPerMBOverSynthetic! > 0 && ratios.htmlRateWithPdf! > 0);
});

test('requests in flight and the DNS cache are measured', async () => {
  const { rows, ratios } = await runBench(
    ...['--only', 'concurrency', '--only', 'names', '--pages', '400', '--hosts', '5'],
  );
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['1 in flight', '4 in flight', '16 in flight', '64 in flight', 'with DNS cache', 'without DNS cache'],
  );
  for (const row of rows) assert.ok(Number(row.pagesPerSecond) > 0, row.name);
  const lookups = (name: string) => Number(rows.find((row) => row.name === name)!.lookups);
  assert.ok(lookups('without DNS cache') > lookups('with DNS cache'));
  assert.ok(lookups('with DNS cache') > 0);
  assert.ok(ratios.rateOf64InFlight! > 0 && ratios.rateOfDnsCache! > 0);
});

/**
 * Makes a PDF file of one page with one line of text. It has no table of objects, so a reader must find the
 * objects itself.
 */
function pdfOf(text: string): string {
  const content = `BT /F1 12 Tf 72 720 Td (The contents of ${text} are one line of text) Tj ET`;
  return `%PDF-1.4
1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >> endobj
4 0 obj << /Length ${content.length} >> stream
${content}
endstream endobj
5 0 obj << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> endobj
trailer << /Root 1 0 R >>
%%EOF
`;
}
