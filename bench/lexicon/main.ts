/**
 * Measures the CPU time of building the lexicons of segments, as a share of the CPU time of indexing. A batch
 * of pages is indexed into an empty index, and another batch after many other pages. The share must be small,
 * and must not depend on the pages that were indexed before.
 *
 *   npm run bench:lexicon -- [--journal DIR] [--before 20000] [--batch 2000] [--json]
 *
 * The pages come from a journal (DIR is `journal/` of a data directory), or are generated from the
 * documentation of the installed npm packages.
 */
import { parseArgs } from 'node:util';
import { report } from '../report.ts';
import { measureLexicons } from './measure.ts';

const { values } = parseArgs({
  options: {
    journal: { type: 'string' },
    before: { type: 'string', default: '20000' },
    batch: { type: 'string', default: '2000' },
    json: { type: 'boolean', default: false },
  },
});

const { first, later, all } = await measureLexicons({
  journal: values.journal ?? null,
  before: Number(values.before),
  batch: Number(values.batch),
});
const shareOf = ({ lexiconMs, indexMs }: typeof first) => lexiconMs / indexMs;
const perPage = ({ lexiconMs, pages }: typeof first) => lexiconMs / pages;
report(
  [first, later, all].map((row) => ({ ...row, share: shareOf(row), lexiconMsPerPage: perPage(row) })),
  {
    'share of indexing CPU, all pages (at most 0.15)': shareOf(all),
    'lexicon CPU per page, later batch against first (at most 1.2)': perPage(later) / perPage(first),
  },
  values.json,
);
