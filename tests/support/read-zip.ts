import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { crc32 } from "node:zlib";
import yauzl, { type Entry, type LocalFileHeader, type ZipFile } from "yauzl";

/** Content of an archive as an independent reader finds it. */
type ZipReading = {
  entries: Entry[];
  /** Fails where the archive says two things about a file, or not what is true. */
  content(entry: Entry): Promise<Buffer>;
};

const options = { lazyEntries: true, autoClose: false };

export async function readZip(archive: Buffer): Promise<ZipReading> {
  return readAll(
    await promisify<Buffer, yauzl.Options, ZipFile>(yauzl.fromBuffer)(archive, options),
  );
}

/**
 * Reads an archive through its parts: it need not be anywhere as a whole.
 * @param bytes the part [first, end)
 */
export async function readZipInParts(
  size: number,
  bytes: (first: number, end: number) => AsyncIterable<Buffer>,
): Promise<ZipReading> {
  class Parts extends yauzl.RandomAccessReader {
    override _readStreamForRange(first: number, end: number) {
      return Readable.from(bytes(first, end), { objectMode: false });
    }
  }
  const open = promisify<yauzl.RandomAccessReader, number, yauzl.Options, ZipFile>(
    yauzl.fromRandomAccessReader,
  );
  return readAll(await open(new Parts(), size, options));
}

async function readAll(zip: ZipFile): Promise<ZipReading> {
  const entries: Entry[] = [];
  await new Promise<void>((resolve, reject) => {
    zip.on("entry", (entry: Entry) => {
      entries.push(entry);
      zip.readEntry();
    });
    zip.once("end", resolve).once("error", reject);
    zip.readEntry();
  });

  const openReadStream = promisify<Entry, Readable>(zip.openReadStream.bind(zip));
  const readLocalHeader = promisify<Entry, LocalFileHeader>(zip.readLocalFileHeader.bind(zip));
  return {
    entries,
    async content(entry) {
      const local = await readLocalHeader(entry);
      const content = await buffer(await openReadStream(entry));
      const sums = [crc32(content), entry.crc32, local.crc32];
      if (new Set(sums).size > 1) throw new Error(`${entry.fileName}: checksums ${sums.join()}`);
      if (local.fileName.toString() !== entry.fileName) throw new Error("Two names of one file");
      return content;
    },
  };
}
