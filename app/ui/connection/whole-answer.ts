/**
 * A request counts as unanswered after 30 s, and one with files after a second more for each 20 kB of them. The time is
 * counted in steps, because a machine that slept meanwhile wakes up with all of it behind it.
 */
import { browserFetch } from "../../remix/fetch";
import { connectionNotice } from "./connection-notice";

const stepMs = 5_000;
const minSteps = 6;
const bytesPerStep = 100_000;

/**
 * Waits for an answer to its last byte: a connection that breaks in the middle of it is no answer.
 * @throws TypeError when there is none
 */
export async function fetchWhole(
  url: URL | string,
  init: RequestInit,
  controller = new AbortController(),
): Promise<Response> {
  const maxSteps = minSteps + Math.ceil(fileBytes(init.body) / bytesPerStep);
  let steps = 0;
  const timer = setInterval(() => {
    steps += 1;
    if (steps === maxSteps) controller.abort();
  }, stepMs);
  try {
    const response = await browserFetch(url, { ...init, signal: controller.signal });
    const body = await response.arrayBuffer();
    // The server has closed a connection that was idle, and has read nothing of the request.
    if (response.status === 408) throw new TypeError("No request arrived");
    connectionNotice.clear();
    return new Response(body.byteLength > 0 ? body : null, response);
  } catch (cause) {
    throw steps >= maxSteps ? new TypeError("No answer in time") : cause;
  } finally {
    clearInterval(timer);
  }
}

function fileBytes(body: RequestInit["body"]): number {
  if (!(body instanceof FormData)) return 0;
  return [...body.values()].reduce(
    (sum, value) => sum + (value instanceof File ? value.size : 0),
    0,
  );
}
