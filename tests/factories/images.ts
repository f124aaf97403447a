import { deflateSync, crc32 } from "node:zlib";
import sharp from "sharp";

/** Found in no image that was decoded and encoded again. */
export const marker = "<script>alert('polyglot')</script>";

const plain = () =>
  sharp({ create: { width: 600, height: 400, channels: 3, background: "#b5195c" } });

export const png = () => plain().png().toBuffer();
export const jpeg = () => plain().jpeg().toBuffer();
export const webp = () => plain().webp().toBuffer();
export const gif = () => plain().gif().toBuffer();
export const tiff = () => plain().tiff().toBuffer();

/** A photo that says where it was taken, who took it, and that it lies on its side. */
export const jpegWithMetadata = () =>
  plain()
    .withMetadata({ orientation: 6 })
    .withExif({
      IFD0: { Copyright: marker, Orientation: "6" },
      IFD3: { GPSLatitudeRef: "N", GPSLatitude: "52/1 31/1 12/1" },
    })
    .jpeg()
    .toBuffer();

/** Frames of noise: a decoder that keeps all of them needs much memory. */
export const animatedWebp = (frames: number) => {
  const [width, height] = [16, 16];
  const data = Buffer.from(
    Array.from({ length: width * height * frames * 3 }, (_, index) => (index * 7919) % 251),
  );
  return sharp(data, {
    raw: { width, height: height * frames, channels: 3, pageHeight: height },
  })
    .webp({ loop: 0, delay: Array<number>(frames).fill(20) })
    .toBuffer();
};

/** A few kilobytes that decode to 400 million pixels. */
export function pixelBomb(): Buffer {
  const side = 20_000;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header[8] = 1;
  const rows = deflateSync(Buffer.alloc(side * (side / 8 + 1)));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", rows),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
