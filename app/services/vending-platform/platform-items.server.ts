import { setImmediate as nextTurn } from "node:timers/promises";
import * as z from "zod";
import type { PlatformListing, PlatformMachine } from "./vending-platform";

/** Items that are looked at before other requests get their turn. */
const itemsAtOnce = 1_000;
const maxExamples = 10;
const maxLabelLength = 40;

// Serial numbers may only have visible characters, so that no two machines look alike.
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
// Names may have joiners, which some scripts need, but no characters that change the direction.
const unstorable = /[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]/u;

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
  .refine((text) => isAtMost(text, 200), "the name is longer than 200 characters")
  .refine((text) => !unstorable.test(text), "the name has characters that can't be shown")
  .nullish();

const lastSeen = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text))
  .refine((at) => at.getTime() >= 0)
  .nullish();

/** Characters as PostgreSQL counts them. */
function isAtMost(text: string, most: number): boolean {
  return text.length <= most || (text.length <= most * 2 && Array.from(text).length <= most);
}

type Checked =
  | { machine: PlatformMachine; problem: string | null }
  | { machine: null; serial: string | null; problem: string };

/**
 * Checks the items of a whole listing one by one; a bad one takes no other with it.
 *
 * - no name, or an empty one: the serial number is the name
 * - a `lastSeen` that is no ISO date-time: the machine is taken without it, and the item counted
 * - the same item again says nothing new; one that says something else about a machine is counted,
 *   and the first holds
 */
export async function checkItems(items: readonly unknown[]): Promise<PlatformListing> {
  const machines = new Map<string, PlatformMachine>();
  const unclear = new Set<string>();
  const badItems = { count: 0, examples: [] as string[] };
  for (const [index, item] of items.entries()) {
    if (index % itemsAtOnce === itemsAtOnce - 1) await nextTurn();
    const checked = checkItem(item);
    let { problem } = checked;
    const serial = checked.machine ? checked.machine.serialNumber : checked.serial;
    if (checked.machine) {
      const first = machines.get(checked.machine.serialNumber);
      if (!first) machines.set(checked.machine.serialNumber, checked.machine);
      else if (!isSame(first, checked.machine)) problem ??= "it is listed twice, differently";
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

function checkItem(item: unknown): Checked {
  if (typeof item !== "object" || item === null || Array.isArray(item))
    return { machine: null, serial: null, problem: "it is not a machine" };
  const fields = item as Record<string, unknown>;
  const serial = serialNumber.safeParse(fields.serialNumber);
  if (!serial.success) return { machine: null, serial: null, problem: messageOf(serial.error) };
  const name = humanName.safeParse(fields.humanName);
  if (!name.success) return { machine: null, serial: serial.data, problem: messageOf(name.error) };
  const seen = lastSeen.safeParse(fields.lastSeen);
  return {
    machine: {
      serialNumber: serial.data,
      humanName: name.data || serial.data,
      lastSeen: (seen.success && seen.data) || null,
    },
    problem: seen.success ? null : "lastSeen is not a date and time",
  };
}

function messageOf(error: z.ZodError): string {
  return error.issues[0]!.message;
}

function isSame(one: PlatformMachine, other: PlatformMachine): boolean {
  return one.humanName === other.humanName && one.lastSeen?.getTime() === other.lastSeen?.getTime();
}

/** ‘VM-1’, or its place in the list. */
function labelOf(item: unknown, index: number): string {
  const serial: unknown = (item as { serialNumber?: unknown } | null | undefined)?.serialNumber;
  const text = typeof serial === "string" ? serial.slice(0, maxLabelLength * 2) : "";
  const shown = Array.from(text.replace(/[\p{C}\p{Z}]+/gu, " ").trim());
  if (shown.length === 0) return `Item ${index + 1}`;
  return `‘${shown.slice(0, maxLabelLength).join("")}${shown.length > maxLabelLength ? "…" : ""}’`;
}
