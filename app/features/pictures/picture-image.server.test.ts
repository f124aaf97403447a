import { expect, it } from "vitest";
import { jpeg } from "../../../tests/factories/images";
import { encodePicture } from "./picture-image.server";

const square = { width: 256, height: 256, fit: "cover" } as const;
const encode = (bytes: Buffer) => encodePicture(bytes, "photo", square);

it("rejects more pictures than it can decode soon, and decodes the others", async () => {
  const bytes = await jpeg();
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => encode(bytes)));
  const rejected = results.flatMap((result) =>
    result.status === "rejected" ? [result.reason as unknown] : [],
  );
  expect(rejected.length).toBeGreaterThanOrEqual(8);
  for (const reason of rejected) expect(reason).toMatchObject({ reason: "unavailable" });
  expect((await encode(bytes)).content.subarray(8, 12).toString()).toBe("WEBP");
});
