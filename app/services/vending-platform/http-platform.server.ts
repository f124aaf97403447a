import type { ReadableStream } from "node:stream/web";
import * as z from "zod";
import { checkItems } from "./platform-items.server";
import { PlatformError, type VendingPlatform } from "./vending-platform";

/** For the whole listing, its bodies included. */
const timeoutMs = 5_000;
/** Decoded bytes of the whole listing. */
const maxBytes = 5_000_000;
/** Braces, brackets and commas of the whole listing: what the time of JSON.parse goes into. */
const maxParts = 300_000;
const maxPages = 1_000;

const envelope = z.object({
  machines: z.array(z.unknown()),
  nextPage: z.number().int().nullish(),
});

/**
 * The vending platform behind `SMARTVEND_URL`: `GET {url}/machines?page=N` with a
 * bearer key. The address is the operator's own word, so it may be private and plain http; where
 * it leads from there is not: no redirect is followed. Whatever the platform does, it costs 5 s,
 * 5 MB and no long turn of the event loop.
 */
export function httpPlatform({ url, apiKey }: { url: string; apiKey: string }): VendingPlatform {
  return {
    async listMachines() {
      const abort = new AbortController();
      const timer = setTimeout(() => abort.abort(), timeoutMs).unref();
      const budget = { bytes: maxBytes, parts: maxParts };
      const items: unknown[] = [];
      try {
        for (let page: number | null = 1, pages = 0; page !== null;) {
          if (++pages > maxPages) throw new PlatformError("too_large");
          const answer = await ask(addressOf(url, page), apiKey, abort.signal);
          const { machines, nextPage } = parse(await readBody(answer, budget));
          for (const item of machines) items.push(item);
          if (typeof nextPage === "number" && nextPage <= page)
            throw new PlatformError("unreadable");
          page = nextPage ?? null;
        }
      } catch (error) {
        throw abort.signal.aborted ? new PlatformError("too_slow") : error;
      } finally {
        clearTimeout(timer);
        abort.abort();
      }
      return checkItems(items);
    },
  };
}

function addressOf(url: string, page: number): URL {
  const address = new URL(url);
  address.pathname = `${address.pathname.replace(/\/+$/, "")}/machines`;
  address.searchParams.set("page", String(page));
  address.hash = "";
  return address;
}

async function ask(address: URL, apiKey: string, signal: AbortSignal): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(address, {
      signal,
      redirect: "manual",
      headers: { Authorization: `Bearer ${apiKey}`, Accept: "application/json" },
    });
  } catch (error) {
    throw new PlatformError(isNotHttp(error) ? "unreadable" : "unreachable");
  }
  if (answer.status === 200) return answer;
  throw new PlatformError("refused", answer.status);
}

/** Whether the server answered with something other than HTTP. */
function isNotHttp(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return code.startsWith("HPE_") || code === "UND_ERR_HEADERS_OVERFLOW";
}

/** Whatever type it says it has. Takes what it reads from the budget. */
async function readBody(
  answer: Response,
  budget: { bytes: number; parts: number },
): Promise<string> {
  const body = answer.body as ReadableStream<Uint8Array> | null;
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of body ?? []) {
      budget.bytes -= chunk.length;
      budget.parts -= countParts(chunk);
      if (budget.bytes < 0 || budget.parts < 0) throw new PlatformError("too_large");
      chunks.push(chunk);
    }
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch (error) {
    // Cut off, not the compression that it says, not UTF-8.
    throw error instanceof PlatformError ? error : new PlatformError("unreadable");
  }
}

const comma = 0x2c;
const bracket = 0x5b;
const brace = 0x7b;

function countParts(chunk: Uint8Array): number {
  let parts = 0;
  for (const byte of chunk) if (byte === comma || byte === bracket || byte === brace) parts++;
  return parts;
}

function parse(text: string): z.infer<typeof envelope> {
  try {
    return envelope.parse(JSON.parse(text));
  } catch {
    throw new PlatformError("unreadable");
  }
}
