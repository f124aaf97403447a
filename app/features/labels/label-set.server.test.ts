import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { generateCodes } from "../promotions/code";
import { qrMatrix } from "../../codec/qr-image.server";
import { darkRectangles } from "./label-set.server";

test.each(["L", "M", "Q", "H"] as const)(
  "%s: each dark module is painted once, no light one",
  (level) => {
    for (const code of generateCodes(10, randomBytes)) {
      const { size, data } = qrMatrix(code, level);
      const rectangles = darkRectangles({ size, data });
      const painted = new Uint8Array(size * size);
      for (const { x, y, width, height } of rectangles) {
        for (let row = y; row < y + height; row++) {
          for (let column = x; column < x + width; column++) painted[row * size + column]!++;
        }
      }
      expect([...painted]).toEqual([...data].map(Number));
      const rows = Array.from({ length: size }, (_, y) =>
        [...data.slice(y * size, (y + 1) * size)].map(Number).join(""),
      );
      const runs = rows.flatMap((row) => row.match(/1+/g) ?? []).length;
      expect(rectangles.length).toBeLessThan(0.85 * runs);
    }
  },
);
