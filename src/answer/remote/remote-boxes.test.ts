import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '../../base/mod.ts';
import type { AnswerBox, AnswerContext } from '../answer-box.ts';
import { Answerer } from '../asking/answerer.ts';
import { answerWords, ENGLISH_ANSWERS } from '../messages/answer-words.ts';
import { ebay } from './ebay.ts';
import { mediaWikiBox } from './media-wiki.ts';
import { type Asked, type RemoteService, startService } from './remote.fixture.ts';
import { weather } from './weather.ts';

const now = Date.UTC(2026, 6, 15, 12);

async function withService(
  reply: (asked: Asked) => unknown,
  run: (service: RemoteService) => Promise<void>,
): Promise<void> {
  const service = await startService(reply);
  try {
    await run(service);
  } finally {
    await service.close();
  }
}

async function ask(box: AnswerBox, query: string, context: Partial<AnswerContext> = {}) {
  const whole = { now, words: ENGLISH_ANSWERS, ...context };
  return box.matches(query, whole) ? box.answer(query, whole, AbortSignal.timeout(5000)) : null;
}

const FORECAST = {
  utc_offset_seconds: 3600,
  current: {
    time: '2026-07-15T12:45',
    temperature_2m: -3.6,
    weather_code: 63,
    wind_speed_10m: 14.4,
    relative_humidity_2m: 71,
  },
  daily: {
    time: ['2026-07-15', '2026-07-16'],
    weather_code: [3, 1234],
    temperature_2m_max: [24.1, 25],
    temperature_2m_min: [15.5, 16],
  },
};

const LISBON = { results: [{ name: 'Lisbon', country: 'Portugal', latitude: 38.72, longitude: -9.13 }] };

function weatherReply({ url }: Asked): unknown {
  return url.pathname === '/v1/search' ? LISBON : FORECAST;
}

test('the weather of a named place has forecast, time and source', async () => {
  await withService(weatherReply, async ({ address, asked }) => {
    const box = weather({ forecastUrl: address, placesUrl: `${address}/` });
    const answer = await ask(box, 'weather in Lisbon');
    assert.equal(answer?.title, '−4 °C, rain');
    assert.equal(answer.text, 'Weather in Lisbon, Portugal');
    assert.deepEqual(answer.facts, [
      { name: 'Wind', value: '14 km/h' },
      { name: 'Humidity', value: '71%' },
      { name: 'Wednesday', value: '16 °C to 24 °C, overcast' },
      { name: 'Thursday', value: '16 °C to 25 °C, conditions unknown' },
    ]);
    assert.equal(answer.time, '2026-07-15T11:45:00.000Z');
    assert.equal(answer.source.name, '127.0.0.1');
    assert.equal(asked[0]!.url.searchParams.get('name'), 'Lisbon');
    assert.equal(asked[1]!.url.searchParams.get('latitude'), '38.72');
    assert.equal((await ask(box, 'lisbon weather'))?.title, '−4 °C, rain');
  });
});

test('the weather at the location of the searcher needs the location from the browser', async () => {
  await withService(weatherReply, async ({ address, asked }) => {
    const box = weather({ forecastUrl: address, placesUrl: address });
    assert.equal(await ask(box, 'weather'), null);
    assert.deepEqual([box.wantsPlace?.('weather'), box.wantsPlace?.('weather in Lisbon')], [true, false]);
    const answer = await ask(box, 'weather', { place: { latitude: 1, longitude: 2 } });
    assert.equal(answer?.text, 'Weather where you are');
    assert.deepEqual(
      asked.map(({ url }) => url.pathname),
      ['/v1/forecast'],
    );
  });
});

test('weather questions and answers are in the languages of the pages', async () => {
  await withService(weatherReply, async ({ address, asked }) => {
    const box = weather({ forecastUrl: address, placesUrl: address });
    const answer = await ask(box, 'Wetter in Lissabon', { words: answerWords('de') });
    assert.equal(answer?.title, '−4 °C, Regen');
    assert.equal(answer.text, 'Wetter in Lisbon, Portugal');
    assert.deepEqual(answer.facts.at(-2), { name: 'Mittwoch', value: '16 °C bis 24 °C, bedeckt' });
    assert.deepEqual(
      ['name', 'language'].map((name) => asked[0]!.url.searchParams.get(name)),
      ['Lissabon', 'de'],
    );
    const sentences = [
      'météo à Paris',
      'Paris météo',
      'طقس باريس',
      'forecast for Paris',
      'weather Paris tomorrow',
    ];
    const questions = [
      "what's the weather like today in Paris?",
      'quel temps fait-il à Paris',
      'wie ist das Wetter in Paris',
    ];
    for (const query of [...sentences, ...questions]) {
      await ask(box, query);
      assert.match(asked.at(-2)!.url.searchParams.get('name')!, /^(?:Paris|باريس)$/, query);
    }
    assert.deepEqual(
      ['Wetter morgen', 'météo aujourd’hui'].map((query) => box.wantsPlace?.(query)),
      [true, true],
    );
  });
});

test('an unknown place has no weather, and other queries cause no request', async () => {
  await withService(
    () => ({}),
    async ({ address, asked }) => {
      const box = weather({ forecastUrl: address, placesUrl: address });
      assert.equal(await ask(box, 'weather in Nowhere'), null);
      assert.equal(asked.length, 1);
      assert.equal(await ask(box, 'weathering steel'), null);
      assert.equal(asked.length, 1);
    },
  );
});

const PAGE = {
  title: 'Ada Lovelace',
  extract: 'Ada Lovelace was an English mathematician.\nShe wrote on the Analytical Engine.',
  fullurl: 'https://wiki.example/wiki/Ada_Lovelace',
  description: 'English mathematician',
  touched: '2026-07-01T00:00:00Z',
};

test('a wiki gets one request for the page of that name', async () => {
  await withService(
    () => ({ query: { pages: [PAGE] } }),
    async ({ address, asked }) => {
      const box = mediaWikiBox({ url: `${address}/w/api.php`, userAgent: 'gyre/1 (+mailto:me@example.org)' });
      const answer = await ask(box, 'ada lovelace');
      assert.equal(answer?.title, 'Ada Lovelace');
      assert.equal(answer.text, PAGE.extract.replace('\n', ' '));
      assert.deepEqual(answer.source, { name: 'wiki.example', url: PAGE.fullurl });
      assert.equal(answer.time, PAGE.touched);
      const { url, headers } = asked[0]!;
      assert.equal(url.pathname, '/w/api.php');
      assert.equal(url.searchParams.get('titles'), 'ada lovelace');
      assert.equal(headers['user-agent'], 'gyre/1 (+mailto:me@example.org)');
      assert.equal(await ask(box, 'site:example.org ada'), null);
      assert.equal(asked.length, 1);
    },
  );
});

test('a question gives the page of its subject with one request', async () => {
  const query = {
    normalized: [{ from: 'ada', to: 'Ada' }],
    redirects: [{ from: 'Ada', to: 'Ada Lovelace' }],
    pages: [{ title: 'Who is ada', missing: true }, PAGE],
  };
  await withService(
    () => ({ query }),
    async ({ address, asked }) => {
      const box = mediaWikiBox({ url: address, userAgent: 'x' });
      assert.equal((await ask(box, 'who is ada?'))?.title, 'Ada Lovelace');
      assert.equal(asked[0]!.url.searchParams.get('titles'), 'who is ada|ada');
    },
  );
});

test('missing pages and disambiguation pages give no answer', async () => {
  const pages = [{ ...PAGE, missing: true }, { ...PAGE, pageprops: { disambiguation: '' } }, undefined];
  await withService(
    () => ({ query: { pages: [pages.shift()] } }),
    async ({ address }) => {
      const box = mediaWikiBox({ url: address, userAgent: 'x' });
      for (let round = 0; round < 3; round++) assert.equal(await ask(box, 'mercury'), null);
    },
  );
});

function shopReply({ url }: Asked): unknown {
  if (url.pathname === '/identity/v1/oauth2/token') return { access_token: 'T', expires_in: 7200 };
  const price = { value: '12.50', currency: 'EUR' };
  return {
    itemSummaries: [
      { title: 'Red lamp', itemWebUrl: 'https://shop.example/1', price, seller: { username: 'lampen' } },
      { title: 'Script', itemWebUrl: 'javascript:alert(1)', price },
      { title: 'Gift', itemWebUrl: 'https://shop.example/2' },
    ],
  };
}

test('offers are requested with a token that is fetched once', async () => {
  await withService(shopReply, async ({ address, asked }) => {
    const box = ebay({ url: address, clientId: 'id', clientSecret: 'secret', marketplace: 'EBAY_DE' });
    const answer = await ask(box, 'buy red lamp');
    assert.deepEqual(answer?.links, [
      { title: 'Red lamp', url: 'https://shop.example/1', detail: '€12.50, lampen' },
    ]);
    await ask(box, 'blue lamp price');
    assert.equal(await ask(box, 'red lamp'), null);
    assert.deepEqual(
      asked.map(({ method, url }) => `${method} ${url.pathname}`),
      [
        'POST /identity/v1/oauth2/token',
        'GET /buy/browse/v1/item_summary/search',
        'GET /buy/browse/v1/item_summary/search',
      ],
    );
    assert.equal(asked[0]!.headers.authorization, `Basic ${Buffer.from('id:secret').toString('base64')}`);
    assert.equal(new URLSearchParams(asked[0]!.body).get('grant_type'), 'client_credentials');
    assert.equal(asked[1]!.headers.authorization, 'Bearer T');
    assert.equal(asked[1]!.headers['x-ebay-c-marketplace-id'], 'EBAY_DE');
  });
});

test('errors, redirects and too large responses of a service are errors of the box', async () => {
  const replies: unknown[] = [500, 302, { query: 'x'.repeat(600_000) }];
  await withService(
    () => replies.shift(),
    async ({ address, asked }) => {
      const box = mediaWikiBox({ url: address, userAgent: 'x' });
      await assert.rejects(ask(box, 'mercury'), /responded with HTTP 500/);
      await assert.rejects(ask(box, 'mercury'));
      await assert.rejects(ask(box, 'mercury'), /more than/);
      assert.equal(asked.length, 3, 'the redirect is not followed');
    },
  );
});

test('a service that hangs, fails or sends invalid data is absent, and the others are in time', async () => {
  const nonsense = [
    '[',
    '{"query":{"pages":[{"title":1,"extract":{}}]}}',
    'null',
    '"text"',
    '{"results":[null]}',
    '',
  ];
  for (const reply of [null, 500, ...nonsense.map((text) => Buffer.from(text))]) {
    await withService(
      () => reply,
      async ({ address }) => {
        const boxes = [
          mediaWikiBox({ url: address, userAgent: 'x' }),
          weather({ forecastUrl: address, placesUrl: address }),
          ebay({ url: address, clientId: 'id', clientSecret: 'secret', marketplace: 'EBAY_DE' }),
        ];
        const answerer = new Answerer({ boxes, clock: { now: () => now }, log: silentLog, budgetMs: 100 });
        for (const query of ['mercury', 'weather in Lisbon', 'buy red lamp'])
          assert.deepEqual(await answerer.answers(query), [], `${query}: ${reply}`);
      },
    );
  }
});
