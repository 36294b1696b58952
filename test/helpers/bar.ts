/** Reports a figure of a test that `npm run check:house` prints. */
import type { TestContext } from 'node:test';

/** The beginning of each message. `scripts/check-house.ts` finds the figures by it. */
export const BAR_MARK = 'bar: ';

export function reportBar(context: TestContext, name: string, figure: string | number): void {
  context.diagnostic(`${BAR_MARK}${name}: ${figure}`);
}
