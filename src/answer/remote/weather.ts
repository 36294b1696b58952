/**
 * Makes the weather box, with the current weather and a forecast, from a service with Open-Meteo's two APIs:
 * `/v1/search` finds a place by name, `/v1/forecast` returns its weather. The query `weather` alone means the
 * searcher's location, if it is known.
 */
import type { Answer, AnswerBox, AnswerContext, Fact, SearcherPlace } from '../answer-box.ts';
import type { AnswerWords } from '../messages/mod.ts';
import { readings } from '../questions/mod.ts';
import { addressBelow, fetchJson, pick, pickList, pickNumber, pickText } from './remote.ts';

interface WeatherOptions {
  /** The URL of the forecast API, for example `https://api.open-meteo.com`. */
  forecastUrl: string;
  /** The URL of the API that finds places, for example `https://geocoding-api.open-meteo.com`. */
  placesUrl: string;
}

interface NamedPlace extends SearcherPlace {
  /** The name of the place; empty for the location of the searcher. */
  name: string;
}

const TEN_MINUTES = 600_000;
const FORECAST_DAYS = 4;

export function weather(options: WeatherOptions): AnswerBox {
  return {
    name: 'weather',
    cacheMs: TEN_MINUTES,
    matches(query, { place }) {
      const name = placeNameOf(query);
      return name !== null && (name !== '' || place !== undefined);
    },
    wantsPlace: (query) => placeNameOf(query) === '',
    async answer(query, context, signal) {
      const place = await findPlace(options, placeNameOf(query)!, context, signal);
      return place && askForecast(options, place, context, signal);
    },
  };
}

/**
 * Returns the name of the place in a weather query. It is empty for the location of the searcher, and null if
 * the query is not about the weather.
 */
function placeNameOf(query: string): string | null {
  const found = readings('weather', query).map(({ place = '' }) => place);
  return found.includes('') ? '' : (found[0] ?? null);
}

async function findPlace(
  { placesUrl }: WeatherOptions,
  name: string,
  { place, words }: AnswerContext,
  signal: AbortSignal,
): Promise<NamedPlace | null> {
  if (name === '') return place ? { ...place, name: '' } : null;
  const url = addressBelow(placesUrl, '/v1/search', {
    name,
    count: '1',
    language: words.tag,
    format: 'json',
  });
  const found = pick(await fetchJson({ url, signal }), 'results', 0);
  const latitude = pickNumber(found, 'latitude');
  const longitude = pickNumber(found, 'longitude');
  if (latitude === null || longitude === null) return null;
  const names = [pickText(found, 'name'), pickText(found, 'country')].filter((each) => each !== '');
  return { latitude, longitude, name: names.join(', ') };
}

async function askForecast(
  { forecastUrl }: WeatherOptions,
  { latitude, longitude, name }: NamedPlace,
  { now, words }: AnswerContext,
  signal: AbortSignal,
): Promise<Answer | null> {
  const url = addressBelow(forecastUrl, '/v1/forecast', {
    latitude: String(latitude),
    longitude: String(longitude),
    current: 'temperature_2m,weather_code,wind_speed_10m,relative_humidity_2m',
    daily: 'weather_code,temperature_2m_max,temperature_2m_min',
    timezone: 'auto',
    forecast_days: String(FORECAST_DAYS),
  });
  const forecast = await fetchJson({ url, signal });
  const temperature = pickNumber(forecast, 'current', 'temperature_2m');
  if (temperature === null) return null;
  return {
    kind: 'weather',
    title: `${words.degrees(temperature)}, ${words.sky(pickNumber(forecast, 'current', 'weather_code'))}`,
    text: name === '' ? words.text('weather.here') : words.text('weather.in', { place: name }),
    facts: [...currentFacts(forecast, words), ...dailyFacts(forecast, words)],
    links: [],
    source: { name: new URL(forecastUrl).hostname, url: new URL(forecastUrl).origin },
    time: momentOf(forecast) ?? new Date(now).toISOString(),
  };
}

function currentFacts(forecast: unknown, words: AnswerWords): Fact[] {
  const wind = pickNumber(forecast, 'current', 'wind_speed_10m');
  const humidity = pickNumber(forecast, 'current', 'relative_humidity_2m');
  return [
    ...(wind === null ? [] : [{ name: words.text('weather.wind'), value: words.speed(wind) }]),
    ...(humidity === null ? [] : [{ name: words.text('weather.humidity'), value: words.share(humidity) }]),
  ];
}

function dailyFacts(forecast: unknown, words: AnswerWords): Fact[] {
  return pickList(forecast, 'daily', 'time')
    .slice(0, FORECAST_DAYS)
    .flatMap((day, at) => {
      const [low, high, code] = ['temperature_2m_min', 'temperature_2m_max', 'weather_code'].map((name) =>
        pickNumber(forecast, 'daily', name, at),
      );
      const date = Date.parse(`${String(day)}T00:00:00Z`);
      if (Number.isNaN(date) || low == null || high == null) return [];
      const [coldest, warmest] = [words.degrees(low), words.degrees(high)];
      const condition = words.sky(code ?? null);
      const value = words.text('weather.range', { low: coldest, high: warmest, condition });
      return [{ name: words.weekday(date), value }];
    });
}

/** Returns the time of the forecast in UTC. The service reports local time and its offset from UTC. */
function momentOf(forecast: unknown): string | null {
  const local = Date.parse(`${pickText(forecast, 'current', 'time')}Z`);
  const ahead = pickNumber(forecast, 'utc_offset_seconds') ?? 0;
  return Number.isNaN(local) ? null : new Date(local - ahead * 1000).toISOString();
}
