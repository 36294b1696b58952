/** Measures encoders: functions from the tokens of a text to its vector. */
import { Random } from '../../src/base/mod.ts';

export type Encode = (ids: readonly number[]) => Promise<Float32Array>;

/** Returns a text of random words. The cost does not depend on the words. */
export function randomText(words: readonly number[], length: number): number[] {
  const random = new Random(length);
  return Array.from({ length }, () => random.pick(words));
}

/**
 * Returns the CPU milliseconds of each encoder for a text, the median of `rounds`. The encoders take turns, so that
 * other load on the machine affects all of them.
 */
export async function cpuMilliseconds(
  encoders: readonly Encode[],
  ids: readonly number[],
  rounds: number,
): Promise<number[]> {
  const times = encoders.map((): number[] => []);
  const repetitions = Math.max(1, Math.round(512 / ids.length));
  for (let round = -1; round < rounds; round++) {
    for (const [i, encode] of encoders.entries()) {
      const before = process.cpuUsage();
      for (let repetition = 0; repetition < repetitions; repetition++) await encode(ids);
      const { user, system } = process.cpuUsage(before);
      // Does not count the first round, in which code is compiled and caches are filled.
      if (round >= 0) times[i]!.push((user + system) / 1000 / repetitions);
    }
  }
  return times.map((each) => each.sort((a, b) => a - b)[each.length >> 1]!);
}

export function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [product, left, right] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    product += a[i]! * b[i]!;
    left += a[i]! ** 2;
    right += b[i]! ** 2;
  }
  return product / Math.sqrt(left * right);
}
