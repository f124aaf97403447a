import { expect, it, vi } from "vitest";
import * as firstSteps from "../features/dashboard/first-steps.server";
import { codesResponse } from "./downloads.server";
import { streamedFile } from "./file-response.server";

it("sends a file of codes while its download can't be stored as a first step", async () => {
  vi.spyOn(firstSteps, "recordCodesDownload").mockRejectedValue(new Error("lock timeout"));
  async function* chunks() {
    yield "codes";
  }
  const fileRequest = { request: new Request("http://localhost/"), userId: "1" };
  const file = streamedFile(fileRequest, chunks, { fileName: "codes.zip", headers: {} });
  const answer = await codesResponse(new Request("http://localhost"), file);
  expect(await answer.text()).toBe("codes");
});
