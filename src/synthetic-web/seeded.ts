/**
 * Makes random numbers from a seed that do not depend on the order of calls: `mix` returns the same number
 * for the same arguments. Therefore page 812,345 can be generated without the pages before it.
 */

/**
 * The purposes of random numbers. Each purpose has its own numbers, so that the choices for one page are
 * independent of each other.
 */
export const Purpose = {
  title: 1,
  path: 2,
  size: 3,
  links: 4,
  text: 5,
  passage: 6,
  theme: 7,
  document: 8,
} as const;

/** Returns a random whole number in [0, 2^32), which depends only on the arguments. */
export function mix(seed: number, index: number, purpose: number): number {
  const first = stir((seed | 0) + Math.imul(purpose, 0x9e3779b1));
  return stir(first + Math.imul(index, 0x85ebca77)) >>> 0;
}

function stir(word: number): number {
  let mixed = word ^ (word >>> 16);
  mixed = Math.imul(mixed, 0x21f0aaad);
  mixed ^= mixed >>> 15;
  mixed = Math.imul(mixed, 0x735a2d97);
  return mixed ^ (mixed >>> 15);
}
