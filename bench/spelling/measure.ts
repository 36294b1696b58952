/** Measures spelling correction with queries that are made from titles; see main.ts. */
import { ByteWriter, Random } from '../../src/base/mod.ts';
import { LexiconGatherer } from '../../src/build/lexicons/mod.ts';
import { encodeStoredRecord } from '../../src/index/stored/stored-record.ts';
import { encodeLexicon, SegmentLexicon, Vocabulary } from '../../src/lexicon/mod.ts';
import { Corrector } from '../../src/query/assistance/spelling/corrector.ts';
import { tokenize } from '../../src/text/mod.ts';
import { mistyped } from './typing-noise.ts';

export interface BenchDocument {
  title: string;
  text: string;
}

export interface SpellingFigures {
  words: number;
  /**
   * The number of queries with an error. `right` is the number of these queries that were corrected to the
   * intended query.
   */
  errors: number;
  right: number;
  /**
   * The number of queries without an error. `changed` is the number of these queries that were changed although
   * they are correct.
   */
  correct: number;
  changed: number;
  meanMs: number;
  p99Ms: number;
  /** Some failed corrections, as `typed -> corrected (meant)`. */
  misses: string[];
}

const MAX_QUERY_WORDS = 4;

export function measureSpelling(
  documents: Iterable<BenchDocument>,
  count: number,
  seed: number,
  segments = 1,
): SpellingFigures {
  const gatherers = Array.from({ length: segments }, () => new LexiconGatherer());
  const titles = new Set<string>();
  const record = new ByteWriter();
  let docs = 0;
  for (const { title, text } of documents) {
    record.clear();
    encodeStoredRecord({ url: '', title, description: '', language: '', text, fetchedAt: 0 }, record);
    gatherers[docs++ % segments]!.add(record.view(), '', 'bench');
    titles.add(termsOf(title).slice(0, MAX_QUERY_WORDS).join(' '));
  }
  const lexicons = gatherers.map((gatherer) => new SegmentLexicon(encodeLexicon(gatherer.finish())));
  const vocabulary = new Vocabulary();
  vocabulary.setTables(lexicons.map(({ words }) => words));
  const queries = [...titles].map((title) => title.split(' ')).filter((words) => words.some(isTypeable));
  return tally(new Corrector(vocabulary), vocabulary.size, queries, count, new Random(seed));
}

function tally(
  corrector: Corrector,
  words: number,
  queries: readonly string[][],
  count: number,
  random: Random,
): SpellingFigures {
  const figures: SpellingFigures = {
    words,
    errors: 0,
    right: 0,
    correct: 0,
    changed: 0,
    meanMs: 0,
    p99Ms: 0,
    misses: [],
  };
  const times: number[] = [];
  const correct = (typed: readonly string[]): string => {
    const startedAt = performance.now();
    const corrected = corrector.correct(typed).join(' ');
    times.push(performance.now() - startedAt);
    return corrected;
  };
  for (let n = 0; n < count; n++) {
    const meant = random.pick(queries);
    const at = random.pick([...meant.keys()].filter((each) => isTypeable(meant[each]!)));
    const typed = meant.with(at, mistyped(meant[at]!, random));
    const corrected = correct(typed);
    figures.errors++;
    if (corrected === meant.join(' ')) figures.right++;
    else figures.misses.push(`${typed.join(' ')} -> ${corrected} (${meant.join(' ')})`);
    figures.correct++;
    const kept = correct(meant);
    if (kept !== meant.join(' ')) {
      figures.changed++;
      figures.misses.push(`${meant.join(' ')} -> ${kept} (was right)`);
    }
  }
  times.sort((a, b) => a - b);
  figures.meanMs = times.reduce((sum, each) => sum + each, 0) / times.length;
  figures.p99Ms = times[Math.floor(times.length * 0.99)]!;
  return figures;
}

/** Returns true for words whose typing errors can be simulated. */
function isTypeable(word: string): boolean {
  return /^[a-z]{4,}$/.test(word);
}

function termsOf(text: string): string[] {
  const terms: string[] = [];
  tokenize(text, (term) => terms.push(term));
  return terms;
}
