import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guessCharset } from './charset-guess.ts';

const RUSSIAN = 'Музей открыт каждый день, кроме понедельника, а билеты можно купить у входа.';
const JAPANESE =
  '博物館は月曜日を除いて毎日開いており、切符は入口で買えます。この関数は、リストで見つかった要素の数を返します。';

/** Texts, each with the encodings in which it should be recognised. */
const TABLE: [string, string[]][] = [
  ['Das Café öffnet täglich außer montags; für Gäste gibt es Käse.', ['windows-1252']],
  ['Le musée est ouvert, où l’été a déjà passé; élève, forêt, ça.', ['windows-1252']],
  [RUSSIAN, ['windows-1251', 'koi8-r']],
  [JAPANESE, ['shift_jis', 'euc-jp']],
  ['博物馆每天开放，我们的门票可以在入口处购买。这个国家的人们在这里生活了一年。', ['gb18030']],
  ['博物館每天開放，我們的門票可以在入口處購買。這個國家的人們在這裡生活了一年。', ['big5']],
  ['박물관은 월요일을 제외하고 매일 열려 있으며 표는 입구에서 살 수 있습니다.', ['euc-kr']],
];

test('the encoding is guessed from the text', () => {
  for (const [text, labels] of TABLE) {
    for (const label of labels) {
      const bytes = encoded(text, label);
      assert.equal(new TextDecoder(label).decode(bytes), text, 'the test encodes well');
      assert.equal(
        guessCharset(Buffer.concat([Buffer.from('<html><body><p>'), bytes])),
        label,
        `${label}: ${text}`,
      );
    }
  }
});

test('a text that is too short is guessed as windows-1252', () => {
  for (const bytes of [[], [0xe9], [0xff, 0xff, 0xff, 0xff], [...Buffer.alloc(100, 0x98)]]) {
    assert.equal(guessCharset(Buffer.from(bytes)), 'windows-1252');
  }
});

/** Encodes text in a legacy encoding, by inverting the decoder. */
function encoded(text: string, label: string): Buffer {
  const decoder = new TextDecoder(label);
  const codes = new Map<string, number[]>();
  for (let first = 0xff; first >= 0; first--) {
    for (let second = 0x40; second < 0xff; second++) {
      const pair = decoder.decode(Uint8Array.of(first, second));
      if (pair.length === 1) codes.set(pair, [first, second]);
    }
    const single = decoder.decode(Uint8Array.of(first));
    if (single !== '\ufffd') codes.set(single, [first]);
  }
  return Buffer.from([...text].flatMap((character) => codes.get(character)!));
}
