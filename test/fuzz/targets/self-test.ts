/** Targets that fail, for the test of the fuzzer itself. */
import { type FuzzTarget, texts } from '../target.ts';

function failing(name: string, fail: () => void): FuzzTarget {
  return {
    name: `self-test-${name}`,
    about: 'fails if a byte is above 127',
    seeds: () => texts('a seed'),
    run(input) {
      if (input.some((byte) => byte > 127)) fail();
    },
  };
}

export const SELF_TEST_TARGETS: readonly FuzzTarget[] = [
  failing('throws', () => {
    throw new Error('a byte above 127');
  }),
  failing('hangs', () => {
    for (;;);
  }),
  failing('grows', () => {
    const kept: Buffer[] = [];
    for (;;) kept.push(Buffer.alloc(16 << 20, 1));
  }),
];
