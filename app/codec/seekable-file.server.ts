/**
 * Files made of records whose sizes are known before they are made: any part of one can be made
 * without what comes before it.
 */
import { setImmediate as nextTurn } from "node:timers/promises";

/** Records of one size that follow each other. */
export type Section = {
  count: number;
  /** Of one record, in bytes. */
  size: number;
  /** Waits for what the records [first, end) are made of. */
  prepare?(first: number, end: number): Promise<void>;
  /** Fills `size` bytes of the target. */
  write(index: number, target: Buffer, offset: number): void;
};

/** Of [first, end), in bytes. */
export type ByteRange = { first: number; end: number };

/** Small enough that other requests get many turns; larger ones were measured to be no faster. */
const blockBytes = 16 * 1024;
/** Other requests wait no longer than this, in ms, whatever a record costs. */
const maxTurn = 5;

export function sizeOf(sections: readonly Section[]): number {
  return sections.reduce((sum, { count, size }) => sum + count * size, 0);
}

/** The bytes of a range, in blocks of at most 16 KiB or one record; made when they are asked for. */
export async function* bytesOf(
  sections: readonly Section[],
  range: ByteRange = { first: 0, end: Infinity },
): AsyncGenerator<Buffer> {
  let start = 0;
  for (const section of sections) {
    const bytes = section.count * section.size;
    const first = Math.max(range.first - start, 0);
    const end = Math.min(range.end - start, bytes);
    start += bytes;
    if (first < end) yield* bytesOfSection(section, { first, end });
  }
}

async function* bytesOfSection(section: Section, range: ByteRange): AsyncGenerator<Buffer> {
  const { size } = section;
  const perBlock = Math.max(1, Math.floor(blockBytes / size));
  const endRecord = Math.ceil(range.end / size);
  let first = Math.floor(range.first / size);
  while (first < endRecord) {
    const end = Math.min(first + perBlock, endRecord);
    await section.prepare?.(first, end);
    const block = Buffer.allocUnsafe((end - first) * size);
    let turnEnds = performance.now() + maxTurn;
    for (let index = first; index < end; index++) {
      section.write(index, block, (index - first) * size);
      if (performance.now() < turnEnds) continue;
      await nextTurn();
      turnEnds = performance.now() + maxTurn;
    }
    yield block.subarray(Math.max(0, range.first - first * size), range.end - first * size);
    await nextTurn();
    first = end;
  }
}
