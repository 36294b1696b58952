/**
 * The weather and its forecast, from a service that speaks Open-Meteo's two interfaces: `/v1/search` finds a place
 * by name, `/v1/forecast` tells the weather there. `weather` alone asks for where the searcher is, if that is known.
 */
import type { Answer, AnswerBox, AnswerContext, Fact, Place } from './answer-box.ts';
import { addressBelow, fetchJson, pick, pickList, pickNumber, pickText } from './remote.ts';

export interface WeatherOptions {
  /** Such as `https://api.open-meteo.com`. */
  forecastUrl: string;
  /** Such as `https://geocoding-api.open-meteo.com`. */
  placesUrl: string;
}

interface NamedPlace extends Place {
  name: string;
}

const QUESTION =
  /^(?:weather|forecast|weather forecast)(?: (?:in|for|at))?(?: (.{2,80}?))?(?: weather| forecast)?$/i;
const TRAILING = /^(.{2,80}?) (?:weather|forecast|weather forecast)$/i;
const TEN_MINUTES = 600_000;
const FORECAST_DAYS = 4;

/** Codes of WMO table 4677 as Open-Meteo uses them; the tens say what falls. */
const CONDITIONS: Record<number, string> = {
  0: 'clear sky',
  1: 'mainly clear',
  2: 'partly cloudy',
  3: 'overcast',
  45: 'fog',
  48: 'freezing fog',
  51: 'light drizzle',
  53: 'drizzle',
  55: 'dense drizzle',
  56: 'light freezing drizzle',
  57: 'freezing drizzle',
  61: 'light rain',
  63: 'rain',
  65: 'heavy rain',
  66: 'light freezing rain',
  67: 'freezing rain',
  71: 'light snow',
  73: 'snow',
  75: 'heavy snow',
  77: 'snow grains',
  80: 'light showers',
  81: 'showers',
  82: 'violent showers',
  85: 'light snow showers',
  86: 'snow showers',
  95: 'thunderstorm',
  96: 'thunderstorm with light hail',
  99: 'thunderstorm with hail',
};

export function weather(options: WeatherOptions): AnswerBox {
  return {
    name: 'weather',
    cacheMs: TEN_MINUTES,
    matches(query, { place }) {
      const name = placeNameOf(query);
      return name !== null && (name !== '' || place !== undefined);
    },
    async answer(query, context, signal) {
      const place = await findPlace(options, placeNameOf(query)!, context, signal);
      return place && askForecast(options, place, context, signal);
    },
  };
}

/** Empty for "here"; null if the question is about something else. */
function placeNameOf(query: string): string | null {
  const found = QUESTION.exec(query.trim()) ?? TRAILING.exec(query.trim());
  return found ? (found[1] ?? '') : null;
}

async function findPlace(
  { placesUrl }: WeatherOptions,
  name: string,
  { place }: AnswerContext,
  signal: AbortSignal,
): Promise<NamedPlace | null> {
  if (name === '') return place ? { ...place, name: 'where you are' } : null;
  const url = addressBelow(placesUrl, '/v1/search', { name, count: '1', language: 'en', format: 'json' });
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
  { now }: AnswerContext,
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
    title: `${degrees(temperature)}, ${conditionOf(pickNumber(forecast, 'current', 'weather_code'))}`,
    text: `Weather in ${name}`.replace('in where', 'where'),
    facts: [...currentFacts(forecast), ...dailyFacts(forecast)],
    links: [],
    source: { name: new URL(forecastUrl).hostname, url: new URL(forecastUrl).origin },
    time: momentOf(forecast) ?? new Date(now).toISOString(),
  };
}

function currentFacts(forecast: unknown): Fact[] {
  const wind = pickNumber(forecast, 'current', 'wind_speed_10m');
  const humidity = pickNumber(forecast, 'current', 'relative_humidity_2m');
  return [
    ...(wind === null ? [] : [{ name: 'Wind', value: `${Math.round(wind)} km/h` }]),
    ...(humidity === null ? [] : [{ name: 'Humidity', value: `${Math.round(humidity)} %` }]),
  ];
}

function dailyFacts(forecast: unknown): Fact[] {
  return pickList(forecast, 'daily', 'time')
    .slice(0, FORECAST_DAYS)
    .flatMap((day, at) => {
      const [low, high, code] = ['temperature_2m_min', 'temperature_2m_max', 'weather_code'].map((name) =>
        pickNumber(forecast, 'daily', name, at),
      );
      const date = Date.parse(`${String(day)}T00:00:00Z`);
      if (Number.isNaN(date) || low == null || high == null) return [];
      const name = new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: 'UTC' }).format(date);
      return [{ name, value: `${degrees(low)} to ${degrees(high)}, ${conditionOf(code ?? null)}` }];
    });
}

/** The service tells local time and how far that is ahead of UTC. */
function momentOf(forecast: unknown): string | null {
  const local = Date.parse(`${pickText(forecast, 'current', 'time')}Z`);
  const ahead = pickNumber(forecast, 'utc_offset_seconds') ?? 0;
  return Number.isNaN(local) ? null : new Date(local - ahead * 1000).toISOString();
}

function degrees(value: number): string {
  return `${String(Math.round(value)).replace('-', '−')} °C`;
}

function conditionOf(code: number | null): string {
  return code === null ? 'conditions unknown' : (CONDITIONS[code] ?? 'conditions unknown');
}
