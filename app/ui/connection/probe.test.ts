import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { probeUntilAnswered } from "./probe";
import { fetchWhole } from "./whole-answer";

vi.mock("./whole-answer", () => ({ fetchWhole: vi.fn() }));

const page = new EventTarget();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
  vi.stubGlobal("removeEventListener", page.removeEventListener.bind(page));
  vi.mocked(fetchWhole).mockReset().mockRejectedValue(new TypeError("No answer"));
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Returns in which seconds the server is asked. */
async function askedSeconds(seconds: number): Promise<number[]> {
  const requestedAt: number[] = [];
  for (let second = 1; second <= seconds; second++) {
    const before = vi.mocked(fetchWhole).mock.calls.length;
    await vi.advanceTimersByTimeAsync(1_000);
    if (vi.mocked(fetchWhole).mock.calls.length > before) requestedAt.push(second);
  }
  return requestedAt;
}

test("asks the server after 1, 2, 4, 8 and 16 s and then every 30 s", async () => {
  const end = probeUntilAnswered();
  expect(await askedSeconds(125)).toEqual([1, 3, 7, 15, 31, 61, 91, 121]);
  end();
  expect(await askedSeconds(60)).toEqual([]);
});

test("asks the server at once when the browser comes online", async () => {
  const end = probeUntilAnswered();
  await askedSeconds(20);
  const before = vi.mocked(fetchWhole).mock.calls.length;
  page.dispatchEvent(new Event("online"));
  expect(vi.mocked(fetchWhole).mock.calls.length).toBe(before + 1);
  end();
});

test("asks no more once the server has answered", async () => {
  vi.mocked(fetchWhole).mockResolvedValue(new Response());
  const end = probeUntilAnswered();
  expect(await askedSeconds(60)).toEqual([1]);
  end();
});
