import { setImmediate as nextTurn } from "node:timers/promises";
import type { ReadableStream } from "node:stream/web";
import * as z from "zod";
import { codeOf } from "../../errors";
import {
  PlatformError,
  type PlatformListing,
  type PlatformMachine,
  type VendingPlatform,
} from "./vending-platform";

/** Limits of the whole listing; `parts` are braces, brackets and commas, which JSON.parse spends its time on. */
const limits = { milliseconds: 5_000, bytes: 5_000_000, parts: 300_000, pages: 1_000 };

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
export function httpPlatform({
  url,
  apiKey,
  timeoutMs = limits.milliseconds,
}: {
  url: string;
  apiKey: string;
  timeoutMs?: number;
}): VendingPlatform {
  return {
    async listMachines() {
      const abort = new AbortController();
      const timer = setTimeout(() => abort.abort(), timeoutMs).unref();
      const budget = { ...limits };
      const items: unknown[] = [];
      try {
        for (let page: number | null = 1; page !== null;) {
          if (--budget.pages < 0) throw new PlatformError("too_large");
          const answer = await ask(addressOf(url, page), apiKey, abort.signal);
          const { machines, nextPage } = parse(await readBody(answer, budget));
          for (const item of machines) items.push(item);
          if (nextPage != null && nextPage <= page) throw new PlatformError("unreadable");
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
  const answer = await fetch(address, {
    signal,
    redirect: "manual",
    headers: { Authorization: `Bearer ${apiKey}`, Accept: "application/json" },
  }).catch((error: unknown) => {
    throw new PlatformError(isNotHttp(error) ? "unreadable" : "unreachable");
  });
  if (answer.status === 200) return answer;
  throw new PlatformError("refused", answer.status);
}

/** Parser errors are known by their name: since Node 24 they have no code. */
function isNotHttp(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  if (!(cause instanceof Error)) return false;
  return cause.name === "HTTPParserError" || codeOf(cause) === "UND_ERR_HEADERS_OVERFLOW";
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

const [comma, bracket, brace] = Buffer.from(",[{");

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

/** Items that are looked at before other requests get their turn. */
const itemsAtOnce = 1_000;
const maxExamples = 10;
const maxLabelLength = 40;

// Serial numbers may only have visible characters, so that no two machines look alike.
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
// Names may have joiners, which some scripts need, but no characters that change the direction.
const unstorable = /[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]/u;
// Such names show nothing. Those with control characters are not among them: they are counted as bad.
const blank = /^[\p{Cf}\p{Z}]*$/u;

const serialNumber = z
  .string({
    error: ({ input }) =>
      input === undefined || input === null
        ? "the serial number is missing"
        : "the serial number is not a text",
  })
  .trim()
  .min(1, "the serial number is missing")
  .refine((text) => isAtMost(text, 100), "the serial number is longer than 100 characters")
  .refine((text) => !unseen.test(text), "the serial number has characters that can't be shown");

const humanName = z
  .string("the name is not a text")
  .transform((text) => text.replace(/\s+/g, " ").trim())
  .transform((text) => (blank.test(text) ? "" : text))
  .refine((text) => isAtMost(text, 200), "the name is longer than 200 characters")
  .refine((text) => !unstorable.test(text), "the name has characters that can't be shown")
  .nullish();

const lastSeen = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text))
  .refine((timestamp) => timestamp.getTime() >= 0)
  .nullish();

/** Characters as PostgreSQL counts them. */
function isAtMost(text: string, max: number): boolean {
  return text.length <= max || (text.length <= max * 2 && Array.from(text).length <= max);
}

/**
 * Checks the items of a whole listing one by one; a bad one takes no other with it.
 *
 * - no name, or one that shows nothing: the serial number is the name
 * - a `lastSeen` that is no ISO date-time: the machine is taken without it, and the item counted
 * - the same item again says nothing new; one that says something else about a machine is counted,
 *   and the first holds
 */
async function checkItems(items: readonly unknown[]): Promise<PlatformListing> {
  const machines = new Map<string, PlatformMachine>();
  const unclear = new Set<string>();
  const badItems = { count: 0, examples: [] as string[] };
  for (const [index, item] of items.entries()) {
    if (index % itemsAtOnce === itemsAtOnce - 1) await nextTurn();
    const { serial, machine, ...checked } = checkItem(item);
    let { problem } = checked;
    if (machine) {
      const first = machines.get(machine.serialNumber);
      if (!first) machines.set(machine.serialNumber, machine);
      else if (!isSame(first, machine)) problem ??= "it is listed twice, differently";
    } else if (serial !== null) unclear.add(serial);
    if (problem === null) continue;
    badItems.count++;
    if (badItems.examples.length < maxExamples)
      badItems.examples.push(`${labelOf(item, index)}: ${problem}`);
  }
  return {
    machines: [...machines.values()],
    badItems,
    unclear: [...unclear].filter((serial) => !machines.has(serial)),
  };
}

/** @returns `machine`: null if the item can't be used */
function checkItem(item: unknown) {
  if (typeof item !== "object" || item === null || Array.isArray(item))
    return { serial: null, machine: null, problem: "it is not a machine" };
  const fields = item as Record<string, unknown>;
  const { data: serial = null, ...serialResult } = serialNumber.safeParse(fields.serialNumber);
  const name = humanName.safeParse(fields.humanName);
  const error = serialResult.error ?? name.error;
  if (error || serial === null)
    return { serial, machine: null, problem: error!.issues[0]!.message };
  const seen = lastSeen.safeParse(fields.lastSeen);
  return {
    serial,
    machine: { serialNumber: serial, humanName: name.data || serial, lastSeen: seen.data ?? null },
    problem: seen.success ? null : "lastSeen is not a date and time",
  };
}

function isSame(one: PlatformMachine, other: PlatformMachine): boolean {
  return one.humanName === other.humanName && one.lastSeen?.getTime() === other.lastSeen?.getTime();
}

/** "VM-1", or its place in the list. */
function labelOf(item: unknown, index: number): string {
  const serial: unknown = (item as { serialNumber?: unknown } | null | undefined)?.serialNumber;
  const text = typeof serial === "string" ? serial.slice(0, maxLabelLength * 2) : "";
  const shown = Array.from(text.replace(/[\p{C}\p{Z}]+/gu, " ").trim());
  if (shown.length === 0) return `Item ${index + 1}`;
  return `"${shown.slice(0, maxLabelLength).join("")}${shown.length > maxLabelLength ? "…" : ""}"`;
}
