import { expect, it } from "vitest";
import { jpeg } from "../../../tests/factories/images";
import { toPhotoImage } from "./photo-image.server";

it("rejects more photos than it can decode soon, and decodes the others", async () => {
  const bytes = await jpeg();
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => toPhotoImage(bytes)));
  const rejected = results.flatMap((result) =>
    result.status === "rejected" ? [result.reason as unknown] : [],
  );
  expect(rejected.length).toBeGreaterThanOrEqual(8);
  for (const reason of rejected) expect(reason).toMatchObject({ reason: "unavailable" });
  expect((await toPhotoImage(bytes)).subarray(8, 12).toString()).toBe("WEBP");
});
