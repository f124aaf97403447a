import { randomBytes } from "node:crypto";
import { buffer } from "node:stream/consumers";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readZip, readZipInParts } from "../../tests/support/read-zip";
import { inSoak, isSoak } from "../../tests/support/repetitions";
import { bytesOf, sizeOf, type Section } from "./seekable-file.server";
import { storeZip, whole, type SmallFiles } from "./store-zip.server";
import { property } from "../../tests/support/property";

/** Files whose names and contents are told by their index. */
function numbered(count: number, size = 20): SmallFiles & { drawn: number[] } {
  const drawn: number[] = [];
  return {
    drawn,
    count,
    nameSize: 10,
    size,
    prepare: () => Promise.resolve(),
    writeName: (index, target, offset) => target.write(nameOf(index), offset, "utf8"),
    writeContent(index, target, offset) {
      drawn.push(index);
      target.fill(`${index},`, offset, offset + size);
    },
  };
}

const nameOf = (index: number) => `é${String(index).padStart(8, "0")}`;
const contentOf = (index: number, size: number) => Buffer.alloc(size, `${index},`);

const lines = ["one\r\n", "two\r\n", "six\r\n"];
const list = {
  name: "läst.csv",
  content: [
    whole(Buffer.from("head\n")),
    {
      count: lines.length,
      size: 5,
      write: (index: number, target: Buffer, offset: number) => target.write(lines[index]!, offset),
    } as Section,
  ],
};

const bytes = (sections: Section[]) => buffer(bytesOf(sections));

test("an archive holds every file under its name, and the large one last", async () => {
  const zip = storeZip([numbered(300)], list);
  const archive = await bytes(zip);
  expect(archive).toHaveLength(sizeOf(zip));
  const { entries, content } = await readZip(archive);
  expect(entries.map(({ fileName }) => fileName)).toEqual([
    ...Array.from({ length: 300 }, (_, index) => nameOf(index)),
    "läst.csv",
  ]);
  for (const [index, entry] of entries.slice(0, 300).entries())
    expect(await content(entry)).toEqual(contentOf(index, 20));
  expect((await content(entries[300]!)).toString()).toBe("head\none\r\ntwo\r\nsix\r\n");
  for (const entry of entries) {
    expect(entry.compressionMethod).toBe(0);
    expect(entry.getLastModDate({ timezone: "UTC" })).toEqual(new Date("2000-01-01T00:00:00Z"));
    expect((entry.externalFileAttributes >>> 16).toString(8)).toBe("100644");
  }
});

test("runs of files of different sizes follow each other", async () => {
  const short = { ...numbered(3, 5), nameSize: 2 };
  short.writeName = (index, target, offset) => target.write(`a${index}`, offset);
  const zip = storeZip([short, numbered(4, 20)], list);
  const archive = await bytes(zip);
  expect(archive).toHaveLength(sizeOf(zip));
  const { entries, content } = await readZip(archive);
  const names = ["a0", "a1", "a2", ...[0, 1, 2, 3].map(nameOf), "läst.csv"];
  expect(entries.map(({ fileName }) => fileName)).toEqual(names);
  expect(await content(entries[2]!)).toEqual(contentOf(2, 5));
  expect(await content(entries[6]!)).toEqual(contentOf(3, 20));
});

test("the same files give the same bytes", async () => {
  const zip = () => bytes(storeZip([numbered(200)], list));
  expect((await zip()).equals(await zip())).toBe(true);
});

test.each([0, 1])("an archive of %d small files is an archive", async (count) => {
  const { entries } = await readZip(await bytes(storeZip([numbered(count)], list)));
  expect(entries).toHaveLength(count + 1);
});

// The directory of 65,534 files and one more is the first in the large format.
test.each(isSoak ? [65_533, 65_534, 70_000] : [65_534])(
  "%d files are all found",
  { timeout: 20_000 },
  async (count) => {
    const { entries, content } = await readZip(await bytes(storeZip([numbered(count, 1)], list)));
    expect(entries).toHaveLength(count + 1);
    for (const index of [0, 65_535, count - 1].filter((of) => of < count)) {
      expect(entries[index]!.fileName).toBe(nameOf(index));
      expect(await content(entries[index]!)).toEqual(contentOf(index, 1));
    }
  },
);

inSoak(test)("beyond 4 GiB every file is found at its place", async () => {
  const [count, fileSize] = [1_500, 3_000_000];
  const sections = storeZip([numbered(count, fileSize)], list);
  const size = sizeOf(sections);
  expect(size).toBeGreaterThan(2 ** 32);
  // Only the directory is made, and of the files those that are looked at.
  const { entries, content } = await readZipInParts(size, (first, end) =>
    bytesOf(sections, { first, end }),
  );
  expect(entries).toHaveLength(count + 1);
  const near = Math.ceil(0xffff_ffff / (30 + 10 + fileSize));
  for (const index of [0, near - 1, near, count - 1]) {
    expect(entries[index]!.fileName).toBe(nameOf(index));
    expect((await content(entries[index]!)).equals(contentOf(index, fileSize))).toBe(true);
  }
  expect((await content(entries[count]!)).toString()).toMatch(/^head\n/);
});

describe("a part", () => {
  const count = 700;
  const zip = () => storeZip([numbered(count, 300)], list);
  const complete = bytes(zip());
  const size = sizeOf(zip());

  property([
    fc.oneof(fc.integer({ min: 0, max: size }), fc.integer({ min: size - 50_000, max: size })),
    fc.oneof(fc.integer({ min: 0, max: size }), fc.integer({ min: 0, max: 500 })),
  ])("is exactly that part of the whole", async (first, length) => {
    const end = Math.min(first + length, size);
    const part = await buffer(bytesOf(zip(), { first, end }));
    expect(part.equals((await complete).subarray(first, end))).toBe(true);
  });

  test("draws only the files that it covers", async () => {
    const files = numbered(count, 300);
    const record = 30 + 10 + 300;
    const sections = storeZip([files], list);
    const range = { first: 500 * record + 3, end: 503 * record };
    await buffer(bytesOf(sections, range));
    expect(files.drawn).toEqual([500, 501, 502]);

    // The directory draws a file for its checksum, unless the checksum is known.
    files.drawn.length = 0;
    const directory = sizeOf(sections.slice(0, 4));
    await buffer(bytesOf(sections, { first: directory + 499 * 56, end: directory + 504 * 56 }));
    expect(files.drawn).toEqual([499, 503]);
  });
});

test("nothing is made before it is asked for, or after the reader has left", async () => {
  const files = numbered(100_000, 1_000);
  const reader = bytesOf(storeZip([files], list));
  expect(files.drawn).toHaveLength(0);
  await reader.next();
  const perBlock = files.drawn.length;
  expect(perBlock).toBeLessThan(20);
  await reader.next();
  await reader.return(undefined);
  expect(files.drawn).toHaveLength(2 * perBlock);
});

test("other work gets its turn, however slow a file is to draw", async () => {
  const files = numbered(20);
  const slow = () => {
    const end = performance.now() + 10;
    while (performance.now() < end);
  };
  const zip = storeZip([{ ...files, writeContent: slow }], {
    name: "l",
    content: [whole(randomBytes(9))],
  });
  let turns = 0;
  const counting = setInterval(() => turns++, 1);
  await bytes(zip);
  clearInterval(counting);
  expect(turns).toBeGreaterThan(10);
});
