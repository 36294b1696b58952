/**
 * Generates icons for the packages of the sample web from their names: symmetric patterns of five by five
 * squares in one colour. As on the web, some sites declare their icon, some serve it at the default path, and
 * some have none.
 */
import { createHash } from 'node:crypto';
import { encodePng } from '../base/mod.ts';

interface PackageIcon {
  path: string;
  isDeclared: boolean;
  png: Buffer;
}

const SQUARES = 5;
const SQUARE_WIDTH = 3;
const WIDTH = SQUARES * SQUARE_WIDTH + 1;
const USUAL = { path: '/favicon.ico', isDeclared: false };
const DECLARED = { path: '/icon.png', isDeclared: true };

/** Returns the icon of a package; null for about every third package. */
export function iconOf(name: string): PackageIcon | null {
  const hash = createHash('sha256').update(name).digest();
  const place = [DECLARED, USUAL, null][hash[0]! % 3];
  return place ? { ...place, png: draw(hash) } : null;
}

function draw(hash: Buffer): Buffer {
  const colour = [64 + (hash[1]! >> 1), 64 + (hash[2]! >> 1), 64 + (hash[3]! >> 1), 255];
  const rgba = new Uint8Array(4 * WIDTH * WIDTH);
  for (let y = 0; y < WIDTH - 1; y++) {
    for (let x = 0; x < WIDTH - 1; x++) {
      const column = Math.floor(x / SQUARE_WIDTH);
      const row = Math.floor(y / SQUARE_WIDTH);
      const half = Math.min(column, SQUARES - 1 - column);
      if (hash[4 + row * 3 + half]! & 1) rgba.set(colour, 4 * (y * WIDTH + x));
    }
  }
  return encodePng({ width: WIDTH, height: WIDTH, rgba });
}
