/**
 * The phases `start` and `step-N`: PageRank over the tiles of all parts. A worker computes the ranks of its
 * part from the shares of all parts, and stores a slice with the ranks and shares of its part for the next
 * iteration. A worker that takes over a part from another worker continues from the last slice of this part.
 *
 * A slice has, as f32 for each node of the part, the ranks and then the shares, and the CRC-32 of each of the
 * two lists.
 */
import { crc32 } from 'node:zlib';
import { CorruptError } from '../../base/mod.ts';
import { firstNodesOf } from './node-tasks.ts';
import { toFloat32s } from './packed-arrays.ts';
import type { LoadedPart } from './part-engines.ts';
import { stepOf, type RankTaskResult, totalOf } from './rank-job.ts';
import type { TaskContext } from './task-context.ts';

const SLICE = 'slice';
const CHECKSUM_BYTES = 4;

export async function startRanks(context: TaskContext): Promise<RankTaskResult> {
  const { engine } = await loadPart(context);
  await putSlice(context, engine.ranks(), engine.shares());
  return { handed: engine.handed };
}

export async function stepRanks(context: TaskContext): Promise<RankTaskResult> {
  const part = await loadPart(context);
  const step = stepOf(context.phase);
  const last = phaseOfStep(step - 1);
  await bringTo(context, part, step - 1);
  const firstNodes = firstNodesOf(await context.results('nodes'));
  for (const [from, firstNode] of firstNodes.entries()) {
    const shares =
      from === context.task ? part.engine.shares() : await readSlice(context, last, from, 'shares');
    part.engine.receive(firstNode, shares);
  }
  // If a failure from here on leaves the engine between two steps, this value makes the next attempt read the
  // slice.
  part.step = Number.NaN;
  const { distance, handed, total } = part.engine.step(totalOf(await context.results(last), 'handed'));
  await putSlice(context, part.engine.ranks(), part.engine.shares());
  part.step = step;
  if (step > 1) await removeSlice(context, step - 2);
  return { distance, handed, total };
}

async function loadPart(context: TaskContext): Promise<LoadedPart> {
  const totalNodes = totalOf(await context.results('nodes'), 'nodes');
  return await context.memory.engines.load(context, context.task, totalNodes);
}

/**
 * Makes sure that the engine has the ranks after `step` iterations. If it has other ranks, reads them from the
 * slice.
 */
async function bringTo(context: TaskContext, part: LoadedPart, step: number): Promise<void> {
  if (part.step === step && step > 0) return;
  part.engine.resume(await readSlice(context, phaseOfStep(step), context.task, 'ranks'));
}

function phaseOfStep(step: number): string {
  return step === 0 ? 'start' : `step-${step}`;
}

async function putSlice(context: TaskContext, ranks: Float32Array, shares: Float32Array): Promise<void> {
  const columns = [ranks, shares].map(
    ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength),
  );
  const checks = columns.map((bytes) => {
    const check = Buffer.alloc(CHECKSUM_BYTES);
    check.writeUInt32LE(crc32(bytes));
    return check;
  });
  await context.put(SLICE, Buffer.concat([columns[0]!, checks[0]!, columns[1]!, checks[1]!]));
}

/** Reads the ranks or the shares of a part after the phase. */
export async function readSlice(
  context: TaskContext,
  phase: string,
  part: number,
  column: 'ranks' | 'shares',
): Promise<Float32Array> {
  const length = 4 * Number((await context.results('nodes'))[part]!.result.nodes);
  const start = column === 'ranks' ? 0 : length + CHECKSUM_BYTES;
  const bytes = await context.range(phase, part, SLICE, start, length + CHECKSUM_BYTES);
  const values = bytes.subarray(0, length);
  const expected = bytes.length === length + CHECKSUM_BYTES ? bytes.readUInt32LE(length) : -1;
  if (crc32(values) !== expected) {
    const name = await context.nameOf(phase, part, SLICE);
    throw new CorruptError(name, start, `checksum ${expected.toString(16)}`, crc32(values).toString(16));
  }
  return toFloat32s(values);
}

/** Removes the slice of this part after `step` iterations, when all workers have read it. */
async function removeSlice(context: TaskContext, step: number): Promise<void> {
  await context.options.blobs.delete(await context.nameOf(phaseOfStep(step), context.task, SLICE));
}
