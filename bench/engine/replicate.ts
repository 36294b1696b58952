/**
 * Makes a corpus ten times as large from copies of the same documents with noise: in each copy except the
 * first, some words are dropped, some words are swapped with their neighbour, and a few words are new. Each
 * copy has its own hosts.
 *
 *   node bench/engine/replicate.ts --corpus small.jsonl --out large.jsonl [--copies 10]
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Random } from '../../src/base/mod.ts';
import type { CorpusDocument } from './corpus.ts';
import { readCorpus } from './read-corpus.ts';

const NOISE = 0.1;

function noisy(text: string, copy: number, random: Random): string {
  const words = text.split(' ');
  for (let i = 1; i < words.length; i++) {
    if (!random.chance(NOISE)) continue;
    const kind = random.below(3);
    if (kind === 0) words[i] = '';
    else if (kind === 1) [words[i - 1], words[i]] = [words[i]!, words[i - 1]!];
    else words[i] = `n${copy}x${random.below(100_000)}`;
  }
  return words.join(' ');
}

function copyOf(document: CorpusDocument, copy: number, random: Random): CorpusDocument {
  const url = document.url.replace('://', `://copy${copy}.`);
  return { id: url, url, title: document.title, body: noisy(document.body, copy, random) };
}

function main(): void {
  const { values } = parseArgs({
    options: {
      corpus: { type: 'string', default: 'corpus.jsonl' },
      out: { type: 'string', default: 'large.jsonl' },
      copies: { type: 'string', default: '10' },
    },
  });
  const random = new Random(5);
  const out = openSync(values.out, 'w');
  for (let copy = 0; copy < Number(values.copies); copy++) {
    for (const document of readCorpus(values.corpus)) {
      const written = copy === 0 ? document : copyOf(document, copy, random);
      writeSync(out, `${JSON.stringify(written)}\n`);
    }
  }
  closeSync(out);
}

main();
