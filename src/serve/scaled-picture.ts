/**
 * A picture made smaller: each pixel is the average of those that it stands for, weighed by how much of them can be seen, so
 * that what is transparent leaves no colour behind. A picture that is not square stands in the middle of one.
 */
import { decodePng, encodePng, type Raster } from '../base/mod.ts';

/** Larger ones are not worth the time. */
const MAX_PIXELS = 512 * 512;

/** A square PNG of the first of these widths in which it is small enough; null for what is no PNG that can be read. */
export function scaledPng(png: Buffer, widths: readonly number[], maxBytes: number): Buffer | null {
  const raster = decodePng(png, MAX_PIXELS);
  if (!raster) return null;
  for (const width of widths) {
    const scaled = encodePng(scaledTo(raster, width));
    if (scaled.length <= maxBytes) return scaled;
  }
  return null;
}

function scaledTo(raster: Raster, width: number): Raster {
  const side = Math.max(raster.width, raster.height);
  const [left, top] = [(side - raster.width) / 2, (side - raster.height) / 2];
  const rgba = new Uint8Array(4 * width * width);
  const edge = (at: number, offset: number) => Math.floor((at * side) / width - offset);
  for (let y = 0; y < width; y++) {
    for (let x = 0; x < width; x++) {
      const [fromX, fromY] = [edge(x, left), edge(y, top)];
      const toX = Math.max(fromX + 1, edge(x + 1, left));
      const toY = Math.max(fromY + 1, edge(y + 1, top));
      rgba.set(average(raster, fromX, fromY, toX, toY), 4 * (y * width + x));
    }
  }
  return { width, height: width, rgba };
}

/** Of the pixels in a rectangle; those outside the picture are transparent. */
function average(
  { width, height, rgba }: Raster,
  fromX: number,
  fromY: number,
  toX: number,
  toY: number,
): number[] {
  let [red, green, blue, alpha] = [0, 0, 0, 0];
  for (let y = Math.max(0, fromY); y < Math.min(height, toY); y++) {
    for (let x = Math.max(0, fromX); x < Math.min(width, toX); x++) {
      const at = 4 * (y * width + x);
      const weight = rgba[at + 3]!;
      red += weight * rgba[at]!;
      green += weight * rgba[at + 1]!;
      blue += weight * rgba[at + 2]!;
      alpha += weight;
    }
  }
  if (alpha === 0) return [0, 0, 0, 0];
  const pixels = (toX - fromX) * (toY - fromY);
  return [red / alpha, green / alpha, blue / alpha, alpha / pixels].map(Math.round);
}
