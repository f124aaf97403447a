import { afterEach, beforeEach, expect } from "vitest";
import { chunking } from "../../app/features/promotions/lifecycle/lifecycle-operations.server";

const original = { ...chunking };
const reset = () => Object.assign(chunking, original);
const setSize = (size: number) =>
  Object.assign(chunking, { firstSize: size, minSize: size, maxSize: size });

/** Lets the actions of a test file change two codes at a time. */
export function useChunksOfTwo(): void {
  beforeEach(() => void setSize(2));
  afterEach(() => void reset());
}

/** Lets one action change so many codes at a time. */
export async function inChunksOf<Result>(
  size: number,
  run: () => Promise<Result>,
): Promise<Result> {
  setSize(size);
  return run().finally(reset);
}

/** Runs something once, when the next chunk but the last of an action is committed. */
export function afterNextChunk(run: () => Promise<unknown> | void): void {
  chunking.afterChunk = async () => {
    chunking.afterChunk = original.afterChunk;
    await run();
  };
}

/** Stops an action after its first chunk, as a crash would. */
export async function crashIn(action: () => Promise<unknown>): Promise<void> {
  afterNextChunk(() => Promise.reject(new Error("crash")));
  await expect(action()).rejects.toThrow("crash");
}
