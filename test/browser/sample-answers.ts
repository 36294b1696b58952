/** Makes one answer of every kind of box, and a hostile answer. */
import type { Answer } from '../../src/answer/mod.ts';

const nothing = { text: '', facts: [], links: [], time: '2026-07-15T12:00:00.000Z' };
const here = { name: 'Computed here', url: '' };
const pages = { name: 'Pages of this index', url: '' };

export const SAMPLE_ANSWERS = {
  calculation: { ...nothing, kind: 'calculation', title: '42', text: '6 × 7 =', source: here },
  conversion: { ...nothing, kind: 'conversion', title: '8.04672 km', text: '5 mi =', source: here },
  time: {
    ...nothing,
    kind: 'time',
    title: '21:34',
    text: 'Wednesday 15 July 2026, Tokyo (UTC+9)',
    source: here,
  },
  weather: {
    ...nothing,
    kind: 'weather',
    title: '24 °C, partly cloudy',
    text: 'Weather in Lisbon, Portugal',
    facts: [
      { name: 'Wind', value: '14 km/h' },
      { name: 'Humidity', value: '71%' },
      { name: 'Wednesday', value: '16 °C to 24 °C, partly cloudy' },
      { name: 'Thursday', value: '16 °C to 25 °C, mainly clear' },
      { name: 'Friday', value: '15 °C to 22 °C, light showers' },
      { name: 'Saturday', value: '14 °C to 21 °C, thunderstorm with light hail' },
    ],
    source: { name: 'weather.example', url: 'https://weather.example/' },
  },
  knowledge: {
    ...nothing,
    kind: 'knowledge',
    title: 'Kuroshio Current',
    text: 'The Kuroshio is a north-flowing, warm ocean current on the west side of the North Pacific Ocean basin. It was named for the deep blue appearance of its waters, and is one of the largest western boundary currents.',
    facts: [
      { name: 'Basin', value: 'Pacific Ocean' },
      { name: 'Named for', value: '黒潮, “black tide”, the deep blue of its water' },
      { name: 'Width', value: '100 km' },
      { name: 'Speed', value: '2 to 4 km/h (1 to 2 kn)' },
    ],
    source: { name: 'wiki.example', url: 'https://wiki.example/wiki/Kuroshio' },
  },
  news: {
    ...nothing,
    kind: 'news',
    title: 'News: Kuroshio',
    links: [
      {
        title: 'The Kuroshio has moved north again, and the fishing fleets follow it',
        url: 'https://paper.example/a',
        detail: 'The Morning Paper',
        day: '15 Jul 2026',
      },
      {
        title: 'Floats show a warmer current',
        url: 'https://post.example/b',
        detail: 'Harbour Post',
        day: '14 Jul 2026',
      },
      {
        title: 'What the large meander means for the weather of the coast',
        url: 'https://paper.example/c',
        detail: 'The Morning Paper',
        day: '11 Jul 2026',
      },
    ],
    source: pages,
  },
  site: {
    ...nothing,
    kind: 'site',
    title: 'Kuroshio Atlas',
    text: 'Maps of the Kuroshio: its temperature, its plankton and the floats that drift in it.',
    facts: [
      { name: 'Pages', value: '1,204' },
      { name: 'Languages', value: 'Japanese, English' },
    ],
    source: { name: 'kuroshio.example', url: 'https://kuroshio.example/' },
  },
  shopping: {
    ...nothing,
    kind: 'shopping',
    title: 'Offers for brass compass',
    text: 'Prices are of the day when the page was fetched.',
    links: [
      { title: 'Brass compass, 8 cm', url: 'https://shop.example/1', detail: '€49.90, Seekram' },
      { title: 'Pocket compass in brass', url: 'https://other.example/2', detail: '€12.00, other.example' },
    ],
    source: pages,
  },
} satisfies Record<string, Answer>;

const ATTACK = '</h2></section><script>globalThis.hacked=1</script><img src=x onerror=globalThis.hacked=1>';

export const HOSTILE_ANSWER: Answer = {
  kind: 'knowledge',
  title: `\u202E${ATTACK}`,
  text: `${ATTACK}\u2066${'unbroken'.repeat(200)}`,
  facts: [{ name: `${ATTACK}${'N'.repeat(300)}`, value: `\u202E${'V'.repeat(3000)}` }],
  links: [{ title: ATTACK, url: 'javascript:globalThis.hacked=1', detail: ATTACK }],
  source: { name: ATTACK, url: 'javascript:globalThis.hacked=1' },
  time: '2026-07-15T12:00:00.000Z',
};
