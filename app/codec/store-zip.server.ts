/**
 * ZIP archives of files that are stored as they are (PKWARE APPNOTE 6.3): many small ones in runs of one
 * size, then a larger one. Every offset is arithmetic, so that the size is known before a file is
 * drawn and a broken download goes on in the middle. The same files give the same bytes.
 */
import { crc32 } from "node:zlib";
import { bytesOf, sizeOf, type Section } from "./seekable-file.server";

/** Files of one size, with names of one length. */
export type SmallFiles = {
  count: number;
  /** Length of each name, in bytes of UTF-8. */
  nameSize: number;
  /** Length of each content, in bytes. */
  size: number;
  /** Loads the data that the files [first, end) are made from. */
  prepare(first: number, end: number): Promise<void>;
  writeName(index: number, target: Buffer, offset: number): void;
  writeContent(index: number, target: Buffer, offset: number): void;
};

/** A file of less than 4 GiB. */
type LargeFile = { name: string; content: readonly Section[] };

/** Lays out an archive of runs of small files, each of one size; `bytesOf` yields its bytes and `sizeOf` tells their number. */
export function storeZip(runs: readonly SmallFiles[], large: LargeFile): Section[] {
  const files: Section[] = [];
  const entries: Section[] = [];
  let offset = 0;
  let count = 1;
  for (const small of runs) {
    const run = layOutRun(small, offset);
    files.push(run.files);
    entries.push(...run.entries);
    offset += sizeOf([run.files]);
    count += small.count;
  }
  const largeHead = headOfLarge(large, offset);
  const directoryOffset = offset + largeHead.local.size + sizeOf(large.content);
  const directory = [...entries, largeHead.central];
  return [
    ...files,
    largeHead.local,
    ...large.content,
    ...directory,
    whole(endRecords(count, sizeOf(directory), directoryOffset)),
  ];
}

/** @param start offset of its first file */
function layOutRun(small: SmallFiles, start: number): { files: Section; entries: Section[] } {
  const smallSize = localHeaderSize + small.nameSize + small.size;

  /** The only state, 4 bytes a file. 0 means unknown; a true 0 (1 in 4 billion) is computed again. */
  const checksums = new Uint32Array(small.count);
  const scratch = Buffer.alloc(small.size);
  const checksumOf = (index: number): number => {
    if (checksums[index] === 0) {
      small.writeContent(index, scratch, 0);
      checksums[index] = crc32(scratch);
    }
    return checksums[index]!;
  };

  const local = localHeader(small.nameSize, small.size);
  const files: Section = {
    count: small.count,
    size: smallSize,
    prepare: small.prepare,
    write(index, target, offset) {
      const content = offset + smallSize - small.size;
      small.writeContent(index, target, content);
      checksums[index] = crc32(target.subarray(content, offset + smallSize));
      target.set(local, offset);
      target.writeUInt32LE(checksums[index]!, offset + localChecksumAt);
      small.writeName(index, target, offset + localHeaderSize);
    },
  };

  // Entries of the directory are longer once an offset needs more than 32 bits.
  const nearCount = Math.max(0, Math.ceil((max32BitInteger - start) / smallSize));
  const near = Math.min(small.count, nearCount);
  const entriesFrom = (first: number, count: number): Section => {
    const header = centralHeader(small.nameSize, small.size, start + first * smallSize);
    return {
      count,
      size: header.length,
      prepare: (from, end) => small.prepare(first + from, first + end),
      write(at, target, offset) {
        const index = first + at;
        target.set(header, offset);
        target.writeUInt32LE(checksumOf(index), offset + centralChecksumAt);
        writeOffset(target, offset, small.nameSize, start + index * smallSize);
        small.writeName(index, target, offset + centralHeaderSize);
      },
    };
  };
  return { files, entries: [entriesFrom(0, near), entriesFrom(near, small.count - near)] };
}

/** Both headers of the large file: its checksum must be known, and costs making it once more. */
function headOfLarge({ name, content }: LargeFile, offset: number) {
  const nameBytes = Buffer.from(name);
  const local = localHeader(nameBytes.length, sizeOf(content), nameBytes);
  const central = centralHeader(nameBytes.length, sizeOf(content), offset, nameBytes);
  let summing: Promise<void> | undefined;
  const sum = async () => {
    let checksum = 0;
    for await (const block of bytesOf(content)) checksum = crc32(block, checksum);
    local.writeUInt32LE(checksum, localChecksumAt);
    central.writeUInt32LE(checksum, centralChecksumAt);
  };
  const prepare = () => (summing ??= sum());
  return { local: { ...whole(local), prepare }, central: { ...whole(central), prepare } };
}

/** A section of one record that is there already. */
export function whole(bytes: Buffer): Section {
  return { count: 1, size: bytes.length, write: (_, target, offset) => target.set(bytes, offset) };
}

const localHeaderSize = 30;
const localChecksumAt = 14;
const centralHeaderSize = 46;
const centralChecksumAt = 16;
const centralOffsetAt = 42;

/** All bits set means "see the ZIP64 field"; so does it in 16 bits. */
const max32BitInteger = 0xffff_ffff;
const max16BitInteger = 0xffff;
const nameIsUtf8 = 0x0800;
/** 2000-01-01, of what never changes; the time of day is 0. */
const dosDate = ((2000 - 1980) << 9) | (1 << 5) | 1;
/** Made on Unix, a plain file that its owner may write. */
const madeBy = (3 << 8) | 45;
const permissions = 0o100644 * 0x10000;

function localHeader(nameSize: number, size: number, name = Buffer.alloc(0)): Buffer {
  const header = Buffer.alloc(localHeaderSize + name.length);
  header.writeUInt32LE(0x0403_4b50, 0);
  header.writeUInt16LE(10, 4);
  header.writeUInt16LE(nameIsUtf8, 6);
  header.writeUInt16LE(dosDate, 12);
  header.writeUInt32LE(size, 18);
  header.writeUInt32LE(size, 22);
  header.writeUInt16LE(nameSize, 26);
  header.set(name, localHeaderSize);
  return header;
}

/** Writes a header with room for the name, and with a ZIP64 field where the offset needs one. */
function centralHeader(nameSize: number, size: number, offset: number, name = Buffer.alloc(0)) {
  const isFar = offset >= max32BitInteger;
  const header = Buffer.alloc(centralHeaderSize + nameSize + (isFar ? 12 : 0));
  header.writeUInt32LE(0x0201_4b50, 0);
  header.writeUInt16LE(madeBy, 4);
  header.writeUInt16LE(isFar ? 45 : 10, 6);
  header.writeUInt16LE(nameIsUtf8, 8);
  header.writeUInt16LE(dosDate, 14);
  header.writeUInt32LE(size, 20);
  header.writeUInt32LE(size, 24);
  header.writeUInt16LE(nameSize, 28);
  header.writeUInt16LE(isFar ? 12 : 0, 30);
  header.writeUInt32LE(permissions, 38);
  header.set(name, centralHeaderSize);
  if (isFar) {
    header.writeUInt32LE(max32BitInteger, centralOffsetAt);
    header.writeUInt16LE(0x0001, centralHeaderSize + nameSize);
    header.writeUInt16LE(8, centralHeaderSize + nameSize + 2);
  }
  writeOffset(header, 0, nameSize, offset);
  return header;
}

/** Writes an offset into a central header that begins at `at`. */
function writeOffset(target: Buffer, at: number, nameSize: number, offset: number): void {
  if (offset < max32BitInteger) target.writeUInt32LE(offset, at + centralOffsetAt);
  else target.writeBigUInt64LE(BigInt(offset), at + centralHeaderSize + nameSize + 4);
}

/** Writes the records that close the archive, in ZIP64 too once a number needs more bits. */
function endRecords(count: number, directorySize: number, directoryOffset: number): Buffer {
  const isLong = count >= max16BitInteger || directoryOffset + directorySize >= max32BitInteger;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x0605_4b50, 0);
  end.writeUInt16LE(isLong ? max16BitInteger : count, 8);
  end.writeUInt16LE(isLong ? max16BitInteger : count, 10);
  end.writeUInt32LE(isLong ? max32BitInteger : directorySize, 12);
  end.writeUInt32LE(isLong ? max32BitInteger : directoryOffset, 16);
  if (!isLong) return end;

  const long = Buffer.alloc(56);
  long.writeUInt32LE(0x0606_4b50, 0);
  long.writeBigUInt64LE(44n, 4);
  long.writeUInt16LE(madeBy, 12);
  long.writeUInt16LE(45, 14);
  long.writeBigUInt64LE(BigInt(count), 24);
  long.writeBigUInt64LE(BigInt(count), 32);
  long.writeBigUInt64LE(BigInt(directorySize), 40);
  long.writeBigUInt64LE(BigInt(directoryOffset), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x0706_4b50, 0);
  locator.writeBigUInt64LE(BigInt(directoryOffset + directorySize), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([long, locator, end]);
}
