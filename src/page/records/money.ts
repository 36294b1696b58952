/** Reads amounts of money, from markup (`2500.00`) and from texts for people (`€ 2.500,00`, `45,000–55,000 USD`). */

export interface Money {
  amount: number;
  /** The upper end, if a range is stated. */
  max?: number;
  /** The code of ISO 4217; absent if the page does not state it. */
  currency?: string;
  /** The time that the amount is paid for: HOUR, DAY, WEEK, MONTH or YEAR. */
  per?: string;
}

const SYMBOLS: Readonly<Record<string, string>> = {
  '€': 'EUR',
  $: 'USD',
  '£': 'GBP',
  '¥': 'JPY',
  '₹': 'INR',
};
const AMOUNT = /^\d[\d.,'’\s\u00a0\u202f]*$/;
const CURRENCY = /[€$£¥₹]|(?<![A-Za-z])[A-Z]{3}(?![A-Za-z])/;

/**
 * Returns the amount in a text. `isForPeople` is true if the text is not from markup: then a dot before three
 * digits separates thousands. Returns null if the text is not an amount.
 */
export function parseMoney(raw: string, isForPeople: boolean): Money | null {
  const unit = CURRENCY.exec(raw)?.[0];
  const rest = raw.replace(new RegExp(CURRENCY, 'g'), ' ').trim();
  const [low, high, ...more] = rest.split(/\s*(?:–|—|-|\bto\b)\s*/);
  const amount = parseAmount(low!, isForPeople);
  const max = high === undefined ? undefined : parseAmount(high, isForPeople);
  if (amount === null || max === null || more.length > 0) return null;
  return {
    amount,
    ...(max !== undefined && { max }),
    ...(unit !== undefined && { currency: SYMBOLS[unit] ?? unit }),
  };
}

export function currencyCode(raw: string): string | null {
  const text = raw.trim();
  const code = SYMBOLS[text] ?? text.toUpperCase();
  return /^[A-Z]{3}$/.test(code) ? code : null;
}

/** Returns a number that is written with any separators; null if the text is not one. */
export function parseAmount(raw: string, isForPeople: boolean): number | null {
  const text = raw.trim();
  if (!AMOUNT.test(text)) return null;
  const digits = text.replace(/['’\s\u00a0\u202f]/g, '').replace(/[.,]$/, '');
  const decimal = decimalSign(digits, isForPeople);
  const plain = [...digits].map((sign) => (sign === decimal ? '.' : /\d/.test(sign) ? sign : '')).join('');
  const amount = Number(plain);
  return Number.isFinite(amount) ? amount : null;
}

/** Returns the sign before the decimals; the empty string if all signs separate thousands. */
function decimalSign(digits: string, isForPeople: boolean): string {
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
  if (last < 0) return '';
  const sign = digits[last]!;
  if (digits.indexOf(sign) !== last) return '';
  const isMixed = digits.includes(sign === '.' ? ',' : '.');
  const isGroup = digits.length - last === 4 && last <= 3 && digits[0] !== '0';
  return !isMixed && isGroup && (sign === ',' || isForPeople) ? '' : sign;
}
