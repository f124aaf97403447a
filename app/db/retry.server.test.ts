import { expect, it, vi } from "vitest";
import { retry, runWithRetry } from "./retry.server";

const transient = new Error("transient");
const isTransient = (error: unknown) => error === transient;

it("runs again after a transient error and when the work asks for it", async () => {
  const work = vi.fn<(attempt: number) => Promise<string | typeof retry>>();
  work.mockRejectedValueOnce(transient).mockResolvedValueOnce(retry).mockResolvedValue("done");
  expect(await runWithRetry(work, { maxAttempts: 3, isTransient })).toBe("done");
  expect(work.mock.calls).toEqual([[0], [1], [2]]);
});

it("throws another error at once", async () => {
  const work = vi.fn(() => Promise.reject(new Error("final")));
  await expect(runWithRetry(work, { maxAttempts: 3, isTransient })).rejects.toThrow("final");
  expect(work).toHaveBeenCalledOnce();
});

it("ends after the last attempt with the error of the work, or with the given one", async () => {
  const work = vi.fn(() => Promise.reject(transient));
  const options = { maxAttempts: 2, isTransient };
  await expect(runWithRetry(work, options)).rejects.toBe(transient);
  const exhausted = () => new Error("exhausted");
  await expect(runWithRetry(work, { ...options, exhausted })).rejects.toThrow("exhausted");
  expect(work).toHaveBeenCalledTimes(4);
});
