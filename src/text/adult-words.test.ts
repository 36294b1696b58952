import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasExplicitWord, judgeByWords } from './adult-words.ts';

test('pornographic pages are recognized in several languages', () => {
  const pages: [title: string, text: string][] = [
    [
      'Free porn videos',
      'Hot milf blowjob and creampie videos, horny amateur teens, hardcore sex. '.repeat(5),
    ],
    [
      'Gratis Pornos',
      'Geile Titten, nackte Frauen beim Ficken: Pornofilme und Sexvideos jeden Tag. '.repeat(5),
    ],
    ['Vidéos porno', 'Salopes en levrette, partouze et branlette : sexe amateur gratuit. '.repeat(5)],
    ['Порно видео', 'Порно бесплатно: минет, сиськи, трахает. Секс, эротика, голые. '.repeat(5)],
  ];
  for (const [title, text] of pages) assert.equal(judgeByWords(title, '', text), 'adult', title);
});

test('innocent pages stay, whatever single words they have', () => {
  const pages: [title: string, text: string][] = [
    ['Essex and Middlesex', 'Essex, Sussex and Middlesex are counties. Scunthorpe and Penistone are towns.'],
    ['Anatomy of the vulva', 'The vagina, the penis and the breasts: anatomy for students of medicine.'],
    [
      'Sex education',
      'Oral sex and anal sex may spread infections. Porn is not education: talk with a doctor.',
    ],
    [
      'Help with porn addiction',
      'Porn, porn, porn: how therapy helps against porn and hentai addiction. '.repeat(9),
    ],
    ['Great tit', 'Tits are small birds. The blue tit and the great tit nest in boxes; the cock sings.'],
    ['Pussy willow', 'The pussy willow flowers early. Naked branches, hardcore gardeners.'],
    ['MILF', 'The Moro Islamic Liberation Front (MILF) signed a peace treaty. MILF leaders met.'],
    ['TODO XXX', '// XXX: anal_retentive is set. XXX fix this hack; nude is a colour. XXX'],
    ['Ford Escort', 'The Ford Escort is a car. Escorts with the XR3i engine are sexy classics.'],
    [
      'A profanity filter',
      'The filter has a blocklist of words such as porn, milf, blowjob and dildo for moderation of software forums.',
    ],
    [
      'Pornography laws',
      'A court ruled on porn websites: the law on pornography, hentai and camgirls, a study of research says.',
    ],
  ];
  for (const [title, text] of pages) assert.equal(judgeByWords(title, '', text), null, title);
});

test('a page with few explicit words is mature at most', () => {
  const text = 'An erotic story of a threesome. They were naked, and she held a dildo. '.repeat(3);
  assert.equal(judgeByWords('A story', '', text), 'mature');
});

test('explicit words are found as whole words only', () => {
  assert.ok(hasExplicitWord('Free Porn'));
  assert.ok(!hasExplicitWord('Essex pornography law'));
});
