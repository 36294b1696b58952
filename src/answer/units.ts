/**
 * Units, as factors to the base of their quantity (SI where there is one). All are exact by definition: the
 * international yard and pound of 1959, NIST SP 811 appendix B for the customary ones, IEC 80000-13 for bits.
 * Degrees of temperature have an offset too.
 */
import { folded } from './names.ts';
import { UNIT_NAMES } from './unit-names.ts';

export interface Unit {
  quantity: string;
  /** How it is written after a number. */
  symbol: string;
  /** How many of the base one of it is, as a decimal or a fraction of decimals. */
  factor: string;
  /** Added before the factor is applied. */
  offset?: string;
}

/** quantity, symbol, factor, names; a name ends the row where it is needed in lower case only. */
const ROWS: readonly (readonly [quantity: string, symbol: string, factor: string, names: string])[] = [
  ['length', 'm', '1', 'm metre metres meter meters'],
  ['length', 'km', '1000', 'km kilometre kilometres kilometer kilometers'],
  ['length', 'cm', '0.01', 'cm centimetre centimetres centimeter centimeters'],
  ['length', 'mm', '0.001', 'mm millimetre millimetres millimeter millimeters'],
  ['length', 'µm', '0.000001', 'µm um micrometre micrometres micrometer micrometers micron microns'],
  ['length', 'nm', '1e-9', 'nm nanometre nanometres nanometer nanometers'],
  ['length', 'in', '0.0254', 'in inch inches "'],
  ['length', 'ft', '0.3048', "ft foot feet '"],
  ['length', 'yd', '0.9144', 'yd yard yards'],
  ['length', 'mi', '1609.344', 'mi mile miles'],
  ['length', 'nmi', '1852', 'nmi'],
  ['length', 'ly', '9460730472580800', 'ly lightyear lightyears'],
  ['length', 'au', '149597870700', 'au'],
  ['mass', 'kg', '1', 'kg kilo kilos kilogram kilograms'],
  ['mass', 'g', '0.001', 'g gram grams gramme grammes'],
  ['mass', 'mg', '0.000001', 'mg milligram milligrams'],
  ['mass', 't', '1000', 't tonne tonnes'],
  ['mass', 'lb', '0.45359237', 'lb lbs pound pounds'],
  ['mass', 'oz', '0.028349523125', 'oz ounce ounces'],
  ['mass', 'st', '6.35029318', 'st stone stones'],
  ['time', 's', '1', 's sec second seconds'],
  ['time', 'ms', '0.001', 'ms millisecond milliseconds'],
  ['time', 'min', '60', 'min minute minutes'],
  ['time', 'h', '3600', 'h hr hour hours'],
  ['time', 'd', '86400', 'd day days'],
  ['time', 'weeks', '604800', 'week weeks'],
  ['area', 'm²', '1', 'm² m2 sqm'],
  ['area', 'km²', '1000000', 'km² km2'],
  ['area', 'ha', '10000', 'ha hectare hectares'],
  ['area', 'acres', '4046.8564224', 'acre acres'],
  ['area', 'ft²', '0.09290304', 'ft² ft2 sqft'],
  ['area', 'mi²', '2589988.110336', 'mi² mi2'],
  ['volume', 'l', '1', 'l litre litres liter liters'],
  ['volume', 'ml', '0.001', 'ml millilitre millilitres milliliter milliliters'],
  ['volume', 'm³', '1000', 'm³ m3'],
  ['volume', 'US gal', '3.785411784', 'gal gallon gallons'],
  ['volume', 'US pt', '0.473176473', 'pt pint pints'],
  ['volume', 'US cups', '0.2365882365', 'cup cups'],
  ['volume', 'US fl oz', '0.0295735295625', 'floz'],
  ['volume', 'tbsp', '0.01478676478125', 'tbsp tablespoon tablespoons'],
  ['volume', 'tsp', '0.00492892159375', 'tsp teaspoon teaspoons'],
  ['speed', 'm/s', '1', 'm/s mps'],
  ['speed', 'km/h', '1000/3600', 'km/h kmh kph'],
  ['speed', 'mph', '0.44704', 'mph mi/h'],
  ['speed', 'kn', '1852/3600', 'kn knot knots'],
  ['data', 'B', '8', 'B byte bytes'],
  ['data', 'bit', '1', 'b bit bits'],
  ['data', 'kB', '8000', 'kB kilobyte kilobytes'],
  ['data', 'MB', '8000000', 'MB megabyte megabytes'],
  ['data', 'GB', '8000000000', 'GB gigabyte gigabytes'],
  ['data', 'TB', '8000000000000', 'TB terabyte terabytes'],
  ['data', 'KiB', '8192', 'KiB kibibyte kibibytes'],
  ['data', 'MiB', '8388608', 'MiB mebibyte mebibytes'],
  ['data', 'GiB', '8589934592', 'GiB gibibyte gibibytes'],
  ['data', 'TiB', '8796093022208', 'TiB tebibyte tebibytes'],
  ['energy', 'J', '1', 'J joule joules'],
  ['energy', 'kJ', '1000', 'kJ kilojoule kilojoules'],
  ['energy', 'kcal', '4184', 'kcal kilocalorie kilocalories calories'],
  ['energy', 'kWh', '3600000', 'kWh'],
  ['power', 'W', '1', 'W watt watts'],
  ['power', 'kW', '1000', 'kW kilowatt kilowatts'],
  ['power', 'hp', '745.69987158227022', 'hp horsepower'],
  ['pressure', 'Pa', '1', 'Pa pascal pascals'],
  ['pressure', 'hPa', '100', 'hPa mbar'],
  ['pressure', 'bar', '100000', 'bar bars'],
  ['pressure', 'atm', '101325', 'atm atmosphere atmospheres'],
  ['temperature', 'K', '1', 'K kelvin'],
  ['angle', '°', '1', 'deg degree degrees'],
  ['angle', 'turns', '360', 'turn turns'],
];

const CELSIUS: Unit = { quantity: 'temperature', symbol: '°C', factor: '1', offset: '273.15' };
const FAHRENHEIT: Unit = { quantity: 'temperature', symbol: '°F', factor: '5/9', offset: '459.67' };

const EXACT = new Map<string, Unit>();
const FOLDED = new Map<string, Unit>();
for (const [quantity, symbol, factor, names] of ROWS) add(names, { quantity, symbol, factor });
add('C °C celsius centigrade', CELSIUS);
add('F °F fahrenheit', FAHRENHEIT);
for (const unit of new Set(EXACT.values())) add(UNIT_NAMES[unit.symbol] ?? '', unit);

/**
 * As it is written; if nothing is, whatever the case: `MB` and `mb` are megabytes, `b` is a bit. `degrees Celsius` are
 * what `Celsius` is.
 */
export function findUnit(name: string): Unit | null {
  const known = EXACT.get(name) ?? FOLDED.get(folded(name));
  if (known) return known;
  const [degrees, scale] = name.split(' ');
  const isDegrees = scale !== undefined && FOLDED.get(folded(degrees!))?.symbol === '°';
  const unit = isDegrees ? findUnit(scale) : null;
  return unit?.quantity === 'temperature' ? unit : null;
}

/** Names that are taken stay what they are. */
function add(names: string, unit: Unit): void {
  for (const name of names.split(' ').filter((each) => each !== '')) {
    if (!EXACT.has(name)) EXACT.set(name, unit);
    if (!FOLDED.has(folded(name))) FOLDED.set(folded(name), unit);
  }
}
