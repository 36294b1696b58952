/** Reads places and postal addresses. */

export interface PlaceFact {
  name?: string;
  street?: string;
  city?: string;
  region?: string;
  postalCode?: string;
  /** The code of ISO 3166 if the stated country is known by its code or its English name; otherwise as stated. */
  country?: string;
  /** The whole address, if the page states it in one text. */
  address?: string;
  latitude?: number;
  longitude?: number;
}

type Properties = Readonly<Record<string, readonly string[]>>;

const PARTS: readonly [keyof PlaceFact, readonly string[]][] = [
  ['name', ['name', '']],
  ['street', ['address.streetAddress']],
  ['city', ['address.addressLocality']],
  ['region', ['address.addressRegion', 'address.addressRegion.name']],
  ['postalCode', ['address.postalCode']],
  ['country', ['address.addressCountry', 'address.addressCountry.name']],
  ['address', ['address', 'address.name']],
  ['latitude', ['geo.latitude', 'latitude']],
  ['longitude', ['geo.longitude', 'longitude']],
];

/**
 * Returns the places below a property such as `jobLocation`, or of the item itself if `prefix` is empty. Several
 * places are stated as one list for each part. Parts are matched by their order if their numbers agree; a part with
 * one value belongs to all places; other parts are left out with a problem.
 */
export function readPlaces(
  properties: Properties,
  prefix: string,
  problem: (reason: string) => void,
): PlaceFact[] {
  const parts = PARTS.flatMap(([part, paths]) => {
    // The name of the item itself is not the name of its address.
    if (prefix === '' && part === 'name') return [];
    const values = firstValues(properties, prefix, paths);
    return values.length > 0 ? [{ part, values }] : [];
  });
  const count = Math.max(0, ...parts.map(({ values }) => values.length));
  const places: PlaceFact[] = Array.from({ length: count }, () => ({}));
  for (const { part, values } of parts) {
    if (values.length !== 1 && values.length !== count) {
      problem(`${values.length} values of ${part} for ${count} places`);
      continue;
    }
    for (const [index, place] of places.entries()) setPart(place, part, values[index] ?? values[0]!, problem);
  }
  return places.filter((place) => Object.keys(place).length > 0);
}

function firstValues(properties: Properties, prefix: string, paths: readonly string[]): readonly string[] {
  for (const path of paths) {
    const name = [prefix, path].filter((part) => part !== '').join('.');
    if (name !== '' && Object.hasOwn(properties, name)) return properties[name]!;
  }
  return [];
}

function setPart(
  place: PlaceFact,
  part: keyof PlaceFact,
  value: string,
  problem: (reason: string) => void,
): void {
  if (part !== 'latitude' && part !== 'longitude') {
    place[part] = part === 'country' ? countryOf(value) : value;
    return;
  }
  const degrees = Number(value.replace(',', '.'));
  if (Math.abs(degrees) <= (part === 'latitude' ? 90 : 180)) place[part] = degrees;
  else problem(`"${value}" is not a ${part}`);
}

let codes: Map<string, string> | null = null;

function countryOf(stated: string): string {
  codes ??= countryCodes();
  const text = stated.trim();
  return codes.get(text.toLowerCase()) ?? text;
}

/**
 * Returns the codes of all countries by their English names and codes in lower case. Withdrawn codes, and `UK`, stand
 * for the code that replaces them.
 */
function countryCodes(): Map<string, string> {
  const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  const known = new Map<string, string>();
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  for (const code of letters.flatMap((first) => letters.map((second) => first + second))) {
    const name = names.of(code);
    const current = new Intl.Locale(`und-${code}`).region;
    if (name === undefined || current === undefined || code === 'ZZ') continue;
    known.set(code.toLowerCase(), current).set(name.toLowerCase(), current);
  }
  for (const name of ['usa', 'united states of america']) known.set(name, 'US');
  return known.set('great britain', 'GB').set('the netherlands', 'NL');
}
