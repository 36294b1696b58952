/** A naive lexicon for tests: counts words and word pairs in maps, without limits. */
import { tokenize } from '../text/mod.ts';
import { keyOf } from './phrase-rules.ts';
import { PhraseTable } from './phrase-table.ts';
import { type LexiconColumns, MAX_WORD_LENGTH, type PhraseRow } from './segments/segment-lexicon-format.ts';
import { SegmentLexicon } from './segments/segment-lexicon-reader.ts';
import { encodeLexicon, phraseColumns } from './segments/segment-lexicon-writer.ts';
import { type TextColumn, textColumn } from './segments/text-column.ts';
import { Vocabulary } from './vocabulary.ts';

export class NaiveLexicon {
  readonly words = new Map<string, number>();
  /** How often each pair of words occurred. Keys are `first second`; words contain no spaces. */
  readonly pairs = new Map<string, number>();
  readonly phrases: PhraseRow[] = [];
  readonly urls: string[] = [];
  total = 0;

  /** Counts the words and pairs of a text, `weight` times each. Pairs do not cross line breaks. */
  add(text: string, weight = 1): this {
    for (const line of text.split('\n')) {
      let last = '';
      tokenize(line, (word) => {
        this.total += weight;
        increase(this.words, word, weight);
        if (last !== '') increase(this.pairs, `${last} ${word}`, weight);
        last = word;
      });
    }
    return this;
  }

  columns(): LexiconColumns {
    const words = [...this.words.keys()].filter((word) => word.length <= MAX_WORD_LENGTH).sort();
    const numbers = new Map(words.map((word, number) => [word, number]));
    const pairs = [...this.pairs]
      .map(([pair, count]) => ({ numbers: pair.split(' ').map((word) => numbers.get(word) ?? -1), count }))
      .filter((pair) => !pair.numbers.includes(-1))
      .sort((a, b) => a.numbers[0]! - b.numbers[0]! || a.numbers[1]! - b.numbers[1]!);
    return {
      total: this.total,
      words,
      counts: Uint32Array.from(words, (word) => this.words.get(word)!),
      pairEnds: Uint32Array.from(
        words,
        (_, first) => pairs.filter(({ numbers: [at] }) => at! <= first).length,
      ),
      seconds: Uint32Array.from(pairs, (pair) => pair.numbers[1]!),
      together: Uint32Array.from(pairs, ({ count }) => count),
      phrases: phraseColumns(this.phrases),
      urls: textColumn(this.urls),
    };
  }

  asRead(): SegmentLexicon {
    return new SegmentLexicon(encodeLexicon(this.columns()));
  }
}

interface FixturePhrase {
  text: string;
  popularity: number;
  /** The URL of the page with this title; empty if the phrase is not a title. */
  url: string;
}

/** Returns a phrase table for tests. The phrases must have distinct keys. */
export function phraseTableOf(phrases: readonly FixturePhrase[]): PhraseTable {
  const keyed = phrases.map((phrase) => ({ ...phrase, key: Buffer.from(keyOf(phrase.text)) }));
  const order = keyed.sort((a, b) => Buffer.compare(a.key, b.key));
  const texts = order.map(({ text }) => Buffer.from(text));
  const keys = order.map(({ key }) => key);
  return new PhraseTable(
    { keys: columnOf(keys), texts: columnOf(texts) },
    Float32Array.from(order, ({ popularity }) => popularity),
    Int32Array.from(order, ({ url }, at) => (url === '' ? -1 : at)),
    (at) => order[at]!.url,
  );
}

function columnOf(parts: readonly Buffer[]): TextColumn {
  let end = 0;
  return { ends: Uint32Array.from(parts, ({ length }) => (end += length)), bytes: Buffer.concat(parts) };
}

/** Returns the vocabulary of the given texts. Each text is counted `times` times. */
export function vocabularyOf(...texts: [text: string, times: number][]): Vocabulary {
  const naive = new NaiveLexicon();
  for (const [text, times] of texts) naive.add(text, times);
  const vocabulary = new Vocabulary();
  vocabulary.setTables([naive.asRead().words]);
  return vocabulary;
}

function increase(counts: Map<string, number>, key: string, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}
