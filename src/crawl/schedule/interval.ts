/**
 * Computes after how many days a URL should be visited again.
 *
 * A visit costs one request. Its gain is the time during which the stored copy equals the page only because of the visit,
 * plus the time during which a page that it links to is known only because of the visit. After an interval of I days, for a page that changes
 * `rate` times per day and brings `linkRate` new links per day, the gain of a visit is
 *
 *   gain(I) = weight / rate * (1 - (1 + rate I) exp(-rate I)) + (linkWeight * linkRate + weight / A) * I^2 / 2
 *
 * The sum of freshness over all pages is as high as the number of requests permits if each URL is visited when its gain
 * reaches the same price (the Lagrange condition of Cho and Garcia-Molina, "Effective page refresh policies", 2003;
 * the second term adds the pages that are waiting to be discovered). All is in days. The price is in price-book.ts.
 *
 * The first term never exceeds `weight / rate`: a page that changes too fast is stale again too soon after a visit, and
 * visits gain more elsewhere. But its copy becomes worse with its age, and it may change less often one day. The constant
 * A (AGE_DAYS) adds a small gain for this, so that such pages are visited rarely instead of never.
 */

/** Numbers that determine the interval of a URL. */
export interface RevisitNeeds {
  /** Changes per day, and the weight of the freshness of the page; 1 for an average page. */
  rate: number;
  weight: number;
  /** New links per day, and the weight of each of them. */
  linkRate: number;
  linkWeight: number;
  minDays: number;
  maxDays: number;
}

const AGE_DAYS = 1000;
const STEPS = 20;

/** Returns the days after which the gain of a visit reaches `price`, within the bounds of the URL. */
export function bestDays(needs: RevisitNeeds, price: number): number {
  const { minDays, maxDays } = needs;
  if (gainOf(needs, minDays) >= price) return minDays;
  if (gainOf(needs, maxDays) < price) return maxDays;
  let [low, high] = [Math.log(minDays), Math.log(maxDays)];
  for (let step = 0; step < STEPS; step++) {
    const middle = (low + high) / 2;
    if (gainOf(needs, Math.exp(middle)) < price) low = middle;
    else high = middle;
  }
  return Math.exp(high);
}

/** Returns the gain of a visit after `days` days, in days. */
function gainOf({ rate, weight, linkRate, linkWeight }: RevisitNeeds, days: number): number {
  const changes = rate * days;
  // For small x, 1 - (1 + x) exp(-x) loses all its digits, and its series begins with x^2 / 2 - x^3 / 3.
  const stale =
    changes < 1e-4 ? (changes * changes) / 2 : -Math.expm1(-changes) - changes * Math.exp(-changes);
  return (weight / rate) * stale + ((linkWeight * linkRate + weight / AGE_DAYS) * days * days) / 2;
}
