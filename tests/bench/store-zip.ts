import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { ZipArchive } from "archiver";
import { bytesOf } from "../../app/codec/seekable-file.server";
import { storeZip, whole } from "../../app/codec/store-zip.server";
import { inTurns, median, medianRatio, type Row } from "./row";

const count = 10_000;
const image = randomBytes(365);

/** The writer alone: small files that are there already, a reader that takes everything. */
export const storeZipRow: Row = {
  name: "ZIP of 10,000 images: entries per CPU second against archiver, both without compression",
  async measure() {
    const rates = await inTurns(
      { rounds: 5 },
      () => entriesPerSecond(writeOurs),
      () => entriesPerSecond(writeTheirs),
    );
    const [ours, theirs] = rates.map(median);
    return {
      ratio: medianRatio(rates),
      floor: 5,
      detail: `${Math.round(ours!)}/s against ${Math.round(theirs!)}/s`,
    };
  },
};

async function entriesPerSecond(write: () => Promise<number>): Promise<number> {
  const before = process.cpuUsage();
  const bytes = await write();
  const { user, system } = process.cpuUsage(before);
  if (bytes < count * image.length) throw new Error(`An archive of ${bytes} bytes`);
  return (count * 1e6) / (user + system);
}

const name = (index: number) => `${String(index).padStart(12, "A")}.png`;

async function writeOurs(): Promise<number> {
  let bytes = 0;
  const zip = storeZip(
    [
      {
        count,
        nameSize: 16,
        size: image.length,
        prepare: () => Promise.resolve(),
        writeName: (index, target, offset) => target.write(name(index), offset, "latin1"),
        writeContent: (_, target, offset) => target.set(image, offset),
      },
    ],
    { name: "codes.csv", content: [whole(Buffer.from("Code\r\n"))] },
  );
  for await (const block of bytesOf(zip)) bytes += block.length;
  return bytes;
}

async function writeTheirs(): Promise<number> {
  let bytes = 0;
  const archive = new ZipArchive({ store: true });
  archive.on("data", (chunk: Buffer) => (bytes += chunk.length));
  const date = new Date(Date.UTC(2000, 0, 1));
  for (let index = 0; index < count; index++) {
    const added = once(archive, "entry");
    archive.append(image, { name: name(index), date });
    await added;
  }
  const ended = once(archive, "end");
  await archive.finalize();
  await ended;
  return bytes;
}
