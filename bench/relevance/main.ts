/**
 * Measures the quality of the ranking of every profile on every judged collection.
 *
 *   npm run bench:relevance [-- --collections DIR] [--profile NAME|FILE] [--meaning] [--write] [--json]
 *
 * The collections are in ../shared/relevance beside the repository, or in the directory given by
 * `--collections`. `--profile` also measures another profile, `--meaning` finds documents by meaning too,
 * `--write` writes the tables to docs/relevance.md. Ratios are the mean of `default` over all collections
 * divided by the mean of `bm25`. Significance is tested by a paired randomisation test over all queries.
 * `heldOut` is the mean over collections with weights that were fitted to the other collections, divided by
 * the mean with the present weights; see held-out.ts.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { defaultModelDirectory, openEmbedder } from '../../src/meaning/mod.ts';
import { builtInProfile, PROFILE_NAMES, type Profile, readProfile } from '../../src/scoring/mod.ts';
import { report } from '../report.ts';
import { collectionNames, openCollection } from './collections.ts';
import { heldOutRatios, holdOut } from './held-out.ts';
import { measureProfile, type ProfileMeasures } from './measure.ts';
import { relevancePage } from './page.ts';
import { ratiosOf, rowsOf } from './rows.ts';

const { values: options } = parseArgs({
  options: {
    collections: { type: 'string' },
    profile: { type: 'string', multiple: true },
    meaning: { type: 'boolean' },
    write: { type: 'boolean' },
    json: { type: 'boolean' },
  },
});

const names = collectionNames(options.collections);
if (names.length === 0) {
  console.error('no judged collections: name their directory with --collections DIR');
  process.exit(2);
}
const embedder = options.meaning ? openEmbedder(defaultModelDirectory()!) : null;
const measures: ProfileMeasures[] = [];
const collections = await Promise.all(
  names.map((name) => openCollection(name, options.collections, embedder)),
);
for (const collection of collections)
  for (const profile of profiles()) measures.push(await measureProfile(collection, profile));
const heldOut = collections.length > 1 ? await holdOut(collections, builtInProfile('default')) : [];
for (const collection of collections) collection.close();
report(rowsOf(measures), { ...ratiosOf(measures), ...heldOutRatios(heldOut) }, options.json ?? false);
if (options.write) {
  const path = join(import.meta.dirname, '..', '..', 'docs', 'relevance.md');
  writeFileSync(path, relevancePage(measures, profiles(), heldOut));
}

/**
 * Returns the profiles to measure. The BM25 baseline is included twice: with all words, and without function
 * words, which most engines leave out.
 */
function profiles(): Profile[] {
  const yardstick = builtInProfile('bm25');
  const stopped = { ...yardstick, name: 'bm25, no function words', functionWords: 0 };
  const others = PROFILE_NAMES.filter((name) => name !== 'bm25').map(builtInProfile);
  const own = (options.profile ?? []).map((name) =>
    existsSync(name)
      ? { ...readProfile(name), name }
      : builtInProfile(name as (typeof PROFILE_NAMES)[number]),
  );
  return [yardstick, stopped, ...others, ...own];
}
