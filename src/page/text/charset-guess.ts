/**
 * Guesses the legacy encoding of text that declares none and is not UTF-8.
 *
 * In Western text an accented letter is usually surrounded by ASCII; in all other scripts bytes above ASCII
 * come in runs. If there are such runs, each likely encoding is tried on a sample. The encoding with the
 * largest share of the most common characters of its language wins: text decoded with the wrong encoding
 * consists of rare characters.
 */

const WESTERN = 'windows-1252';
const SAMPLE_BYTES = 16_384;
/** The minimum number of bytes above ASCII that a guess needs. */
const LEAST_BYTES = 8;
const ISOLATED_RUN = 1.7;
const LEAST_SCORE = 0.12;
const MOST_BROKEN = 0.02;

/** For each encoding, the most common characters of its language. */
const CANDIDATES: [label: string, common: Set<string>][] = [
  ['windows-1251', new Set('оеаинтсрвлкмдпуяыьгз')],
  ['koi8-r', new Set('оеаинтсрвлкмдпуяыьгз')],
  ['shift_jis', new Set('のにをはがとでしてたいるなもれあこらっうかすくりまンスルトー、。')],
  ['euc-jp', new Set('のにをはがとでしてたいるなもれあこらっうかすくりまンスルトー、。')],
  [
    'gb18030',
    new Set('的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年，。'),
  ],
  [
    'big5',
    new Set('的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年，。'),
  ],
  ['euc-kr', new Set('이다는을를의에가고하지은로도서한사기리나자시스아인대그어정일')],
];

export function guessCharset(bytes: Buffer): string {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const { count, runs } = highBytesOf(sample);
  if (count < LEAST_BYTES || count < ISOLATED_RUN * runs) return WESTERN;
  let best = WESTERN;
  let bestScore = LEAST_SCORE;
  for (const [label, common] of CANDIDATES) {
    const score = scoreOf(new TextDecoder(label).decode(sample), common);
    if (score > bestScore) {
      best = label;
      bestScore = score;
    }
  }
  return best;
}

function highBytesOf(sample: Buffer): { count: number; runs: number } {
  let count = 0;
  let runs = 0;
  for (let at = 0; at < sample.length; at++) {
    if (sample[at]! < 0x80) continue;
    count++;
    if (at === 0 || sample[at - 1]! < 0x80) runs++;
  }
  return { count, runs };
}

/**
 * Returns the share of the characters above ASCII that are in `common`; 0 if too many characters are invalid.
 */
function scoreOf(text: string, common: ReadonlySet<string>): number {
  let all = 0;
  let hits = 0;
  let broken = 0;
  for (const character of text) {
    if (character < '\x80') continue;
    all++;
    if (common.has(character)) hits++;
    else if (character === '\ufffd') broken++;
  }
  return all === 0 || broken > MOST_BROKEN * all + 1 ? 0 : hits / all;
}
