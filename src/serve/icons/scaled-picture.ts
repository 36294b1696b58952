/**
 * Scales an image down: each pixel is the average of the pixels that it replaces, weighted by their alpha, so
 * that transparent pixels add no colour. An image that is not square is centred in a square.
 */
import { decodePng, encodePng, type Raster } from '../../base/mod.ts';

/** Larger images are not scaled: it would take too long. */
const MAX_PIXELS = 512 * 512;

/**
 * Returns a square PNG of the first of these widths whose size is at most `maxBytes`; null if `png` cannot be
 * decoded or no width fits.
 */
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

/** Averages the pixels in a rectangle; pixels outside the image are transparent. */
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
