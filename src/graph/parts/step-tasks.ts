/**
 * The phases `start` and `step-N`: PageRank over the tiles of all parts. A worker computes the ranks of its part from
 * the shares of all parts, and stores a slice with the ranks and shares of its part for the next iteration. A worker that
 * takes the part of another continues from its last slice.
 *
 * A slice has the ranks, then the shares, as f32 of each node of the part, and the CRC-32 of either.
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
  // A failure from here on leaves an engine between two steps; the next attempt then reads the slice.
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

/** Makes the engine have the ranks after `step` iterations, from the slice if it has others. */
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

/** Removes the slice of this part after `step` iterations. All workers have read it. */
async function removeSlice(context: TaskContext, step: number): Promise<void> {
  await context.options.blobs.delete(await context.nameOf(phaseOfStep(step), context.task, SLICE));
}
