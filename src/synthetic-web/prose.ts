/**
 * Generates readable text from a seed. Plain pages are composed of 8,192 passages, each generated when it is
 * first needed and kept as bytes: a page is copied from passages, not written word by word. All passages
 * together are about 4 MB, so two pages of 30 KB have less than one percent of their text in common.
 */
import { Random } from '../base/mod.ts';
import { contentRank, titleWord, uniqueWordOf, wordOfRank, zipfRank } from './lexicon.ts';
import { mix, Purpose } from './seeded.ts';

const PASSAGE_COUNT = 1 << 13;
const EMPHASIS = 0.06;
const HEADING = 0.15;

export class Prose {
  readonly seed: number;
  readonly #passages: (Buffer | undefined)[] = new Array(PASSAGE_COUNT);

  constructor(seed: number) {
    this.seed = seed;
  }

  /**
   * Returns a paragraph without its end tag, as HTML in ASCII: three to seven sentences, some of them
   * emphasised, sometimes below a heading. The caller must not write to the buffer.
   */
  passage(random: Random): Buffer {
    const number = random.below(PASSAGE_COUNT);
    let passage = this.#passages[number];
    if (!passage) {
      passage = Buffer.from(composePassage(new Random(mix(this.seed, number, Purpose.passage))));
      this.#passages[number] = passage;
    }
    return passage;
  }

  /** Returns a paragraph of three to seven generated sentences as plain text. */
  paragraph(random: Random): string {
    return Array.from({ length: random.between(3, 7) }, () => composeSentence(random)).join(' ');
  }

  /** Returns the title of document `number`: two to four content words with capital first letters. */
  title(number: number): string {
    return composeTitle(new Random(mix(this.seed, number, Purpose.title)));
  }

  uniqueWord(number: number): string {
    return uniqueWordOf(this.seed, number);
  }
}

function composePassage(random: Random): string {
  const sentences = Array.from({ length: random.between(3, 7) }, () => {
    const sentence = composeSentence(random);
    return random.chance(EMPHASIS) ? `<em>${sentence}</em>` : sentence;
  });
  const heading = random.chance(HEADING) ? `<h2>${composeTitle(random)}</h2>\n` : '';
  return `${heading}<p>${sentences.join(' ')} `;
}

function composeTitle(random: Random): string {
  let title = titleWord(contentRank(random));
  for (let more = random.between(1, 3); more > 0; more--) title += ` ${titleWord(contentRank(random))}`;
  return title;
}

function composeSentence(random: Random): string {
  const length = random.between(6, 22);
  let sentence = titleWord(zipfRank(random));
  for (let at = 1; at < length; at++) {
    if (at > 3 && at < length - 2 && random.chance(0.08)) sentence += ',';
    sentence += ` ${wordOfRank(zipfRank(random))}`;
  }
  return `${sentence}.`;
}
