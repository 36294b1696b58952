/** Defines a target of the fuzzer, and the checks that several targets share. */
import assert from 'node:assert/strict';
import { GyreError } from '../../src/base/mod.ts';

export interface FuzzTarget {
  name: string;
  /** The parser, and the property that must hold. */
  about: string;
  /** Makes small valid inputs, which the fuzzer mutates. */
  seeds(): Promise<readonly Uint8Array[]> | readonly Uint8Array[];
  /** Texts of the format that mutations insert. */
  words?: readonly string[];
  /** Parses an input. Throws or rejects if the property does not hold. */
  run(input: Buffer): unknown;
  /** Releases what the target holds. */
  close?(): unknown;
  /** The largest input in bytes, if it is not `MAX_INPUT_BYTES`. */
  maxBytes?: number;
}

export const MAX_INPUT_BYTES = 64 * 1024;

export function texts(...seeds: readonly string[]): readonly Uint8Array[] {
  return seeds.map((seed) => Buffer.from(seed));
}

/** Runs `work`. An error for damaged or wrong input is allowed, any other error is not. */
export async function allowRefusal<T>(work: () => T | Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof GyreError) return null;
    throw error;
  }
}

/**
 * Checks that all texts in a value can be stored as UTF-8, and that no object has been given another prototype.
 */
export function checkValue(value: unknown, path = 'value'): void {
  if (typeof value === 'string') assert.ok(value.isWellFormed(), `${path} is well-formed`);
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return;
  if (value instanceof Map || value instanceof Set) return;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) checkValue(value[at], `${path}[${at}]`);
    return;
  }
  for (const [key, child] of Object.entries(value)) checkValue(child, `${path}.${key}`);
}

/** Checks that no input has changed the prototypes that all objects share. */
export function checkPrototypes(): void {
  for (const prototype of [Object.prototype, Array.prototype, String.prototype])
    assert.deepEqual(Object.keys(prototype), [], 'a shared prototype has a new property');
}
