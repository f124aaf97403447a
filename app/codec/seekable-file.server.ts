/**
 * Describes files as records whose sizes are known in advance, so that any part of a file can be made
 * without the parts before it.
 */
import { drawingTurn } from "./turns.server";

/** Records of one size that follow each other. */
export type Section = {
  count: number;
  /** Size of one record, in bytes. */
  size: number;
  /** Loads the data that the records [first, end) are made from. */
  prepare?(first: number, end: number): Promise<void>;
  write(index: number, target: Buffer, offset: number): void;
};

/** The bytes [first, end) of a file. */
export type ByteRange = { first: number; end: number };

/** Size of a block. Larger blocks were measured to be no faster and delay other requests. */
const blockBytes = 16 * 1024;

export function sizeOf(sections: readonly Section[]): number {
  return sections.reduce((sum, { count, size }) => sum + count * size, 0);
}

/** Yields the bytes of a range, in blocks of at most 16 KiB or one record, made on demand. */
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
  let isTurnOver = await drawingTurn();
  while (first < endRecord) {
    const end = Math.min(first + perBlock, endRecord);
    await section.prepare?.(first, end);
    const block = Buffer.allocUnsafe((end - first) * size);
    for (let index = first; index < end; index++) {
      if (isTurnOver()) isTurnOver = await drawingTurn();
      section.write(index, block, (index - first) * size);
    }
    yield block.subarray(Math.max(0, range.first - first * size), range.end - first * size);
    first = end;
  }
}
