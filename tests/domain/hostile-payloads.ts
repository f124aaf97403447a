import type { ListedMachine } from "../support/platform";

/**
 * Answers that a compromised or broken platform may send with status 200, and their required effect
 * on an installation that knows twelve machines.
 */

export type Payload = {
  /** @param known the machines that the product has, as a good list would say them */
  body: (known: ListedMachine[]) => string | Buffer;
  /**
   * `failed`: no list, nothing changes. `held`: it is a list, but what it lacks waits for an admin.
   * Otherwise what changes in the table, and the bad items in words.
   */
  expected: "failed" | "held" | { table: Record<string, string>; bad: string[] };
};

const fails = (body: Payload["body"]): Payload => ({ body, expected: "failed" });

/** The known machines and these items. */
const after = (
  items: unknown[],
  table: Record<string, string> = {},
  bad: string[] = [],
): Payload => ({
  body: (known) => JSON.stringify({ machines: [...known, ...items] }),
  expected: { table, bad },
});

const unseen = "the serial number has characters that can't be shown";
const smiles = "😀".repeat(100);

export const hostilePayloads: Record<string, Payload> = {
  "an HTML page": fails(() => "<!doctype html><title>Sign in to the network</title>"),
  "no body": fails(() => ""),
  blanks: fails(() => " \n ".repeat(1_000)),
  "JSON that is cut off": fails((known) => JSON.stringify({ machines: known }).slice(0, -9)),
  "JSON and something after it": fails((known) => `${JSON.stringify({ machines: known })}{}`),
  null: fails(() => "null"),
  "a bare array of machines": fails((known) => JSON.stringify(known)),
  "an error with status 200": fails(() => '{"error":"maintenance"}'),
  "machines is null": fails(() => '{"machines":null}'),
  "machines is an object": fails((known) => JSON.stringify({ machines: { ...known } })),
  "nextPage is a text": fails((machines) => JSON.stringify({ machines, nextPage: "2" })),
  "nextPage goes back": fails((machines) => JSON.stringify({ machines, nextPage: 1 })),
  "nextPage is not whole": fails((machines) => JSON.stringify({ machines, nextPage: 1.5 })),
  "bytes that are not UTF-8": fails((known) =>
    Buffer.from(JSON.stringify({ machines: [...known, { serialNumber: "Ü-1" }] }), "latin1"),
  ),
  "UTF-16": fails((machines) => Buffer.from(JSON.stringify({ machines }), "utf16le")),
  "arrays in arrays": fails(() => `{"machines":${"[".repeat(2_400_000)}${"]".repeat(2_400_000)}}`),
  "more than a million items": fails(() => `{"machines":[${"{},".repeat(1_200_000)}{}]}`),
  "a name of 6 MB": fails((known) =>
    JSON.stringify({
      machines: [...known, { serialNumber: "N", humanName: "n".repeat(6_000_000) }],
    }),
  ),
  "no machine": { body: () => '{"machines":[]}', expected: "held" },
  "no machine that can be read": {
    body: () => '{"machines":[null,1,"x",{"serial":"SN-00000"}]}',
    expected: "held",
  },
  "a byte order mark": {
    body: (machines) => `\ufeff${JSON.stringify({ machines })}`,
    expected: { table: {}, bad: [] },
  },
  "fields that nobody has asked for": {
    body: (known) =>
      `{"__proto__":{"machines":[]},"machines":[${[
        ...known.map((machine) => JSON.stringify(machine)),
        '{"__proto__":{"serialNumber":"P"},"serialNumber":"N","isDeleted":true,"id":1,"constructor":{}}',
      ].join()}]}`,
    expected: { table: { N: "N" }, bad: [] },
  },
  "items that are no machines": after(
    [null, 1, "SN-1", [], true],
    {},
    [13, 14, 15, 16, 17].map((place) => `Item ${place}: it is not a machine`),
  ),
  "no serial number": after(
    [{}, { serialNumber: null }, { serialNumber: "" }, { serialNumber: " \t\u00a0" }],
    {},
    [13, 14, 15, 16].map((place) => `Item ${place}: the serial number is missing`),
  ),
  "serial numbers of other types": after(
    [-5, 1e308, true, {}, ["SN-1"]].map((serialNumber) => ({ serialNumber })),
    {},
    [13, 14, 15, 16, 17].map((place) => `Item ${place}: the serial number is not a text`),
  ),
  "NUL in a serial number": after([{ serialNumber: "A\0B" }], {}, [`"A B": ${unseen}`]),
  "control characters in serial numbers": after(
    [{ serialNumber: "A\nB" }, { serialNumber: "A\u001b[31mB" }, { serialNumber: "A\u2028B" }],
    {},
    [`"A B": ${unseen}`, `"A [31mB": ${unseen}`, `"A B": ${unseen}`],
  ),
  "half of a character in a serial number": after([{ serialNumber: "A\ud800" }], {}, [
    `"A": ${unseen}`,
  ]),
  "characters without width, and turning ones, in serial numbers": after(
    [{ serialNumber: "SN-\u200b00000" }, { serialNumber: "SN-\u202e00000" }],
    {},
    [`"SN- 00000": ${unseen}`, `"SN- 00000": ${unseen}`],
  ),
  "serial numbers as long as may be, and longer": after(
    [{ serialNumber: "X".repeat(101) }, { serialNumber: smiles, humanName: "Smile" }],
    { [smiles]: "Smile" },
    [`"${"X".repeat(40)}…": the serial number is longer than 100 characters`],
  ),
  "serial numbers that differ by case and blanks": after(
    [
      { serialNumber: " SN-00000\t", humanName: "Machine 0" },
      { serialNumber: "sn-00000", humanName: "Other" },
      { serialNumber: "SN- 00000", humanName: "Another" },
    ],
    { "sn-00000": "Other", "SN- 00000": "Another" },
  ),
  "no name": after(
    [
      { serialNumber: "N1" },
      { serialNumber: "N2", humanName: null },
      { serialNumber: "N3", humanName: "" },
      { serialNumber: "N4", humanName: " \n " },
      { serialNumber: "N5", humanName: "\u200b \u200d" },
    ],
    { N1: "N1", N2: "N2", N3: "N3", N4: "N4", N5: "N5" },
  ),
  "names of other types": after(
    [7, false, {}, ["x"]].map((humanName, index) => ({ serialNumber: `N${index}`, humanName })),
    {},
    [0, 1, 2, 3].map((index) => `"N${index}": the name is not a text`),
  ),
  "names as long as may be, and longer": after(
    [
      { serialNumber: "N1", humanName: "n".repeat(200) },
      { serialNumber: "N2", humanName: "n".repeat(201) },
    ],
    { N1: "n".repeat(200) },
    ['"N2": the name is longer than 200 characters'],
  ),
  "names that can't be kept or shown": after(
    ["a\0b", "a\ud800", "a\u202eb", "a\u0007b"].map((humanName, index) => ({
      serialNumber: `N${index}`,
      humanName,
    })),
    {},
    [0, 1, 2, 3].map((index) => `"N${index}": the name has characters that can't be shown`),
  ),
  "names that mean something elsewhere": after(
    [
      { serialNumber: "N1", humanName: "<script>alert(1)</script>" },
      { serialNumber: "'; drop table machines; --", humanName: "{}" },
      { serialNumber: "%_\\", humanName: "=cmd|' /C calc'!A0" },
      { serialNumber: "../..", humanName: "Zoë 👩‍👩‍👧 می‌خواهم" },
    ],
    {
      N1: "<script>alert(1)</script>",
      "'; drop table machines; --": "{}",
      "%_\\": "=cmd|' /C calc'!A0",
      "../..": "Zoë 👩‍👩‍👧 می‌خواهم",
    },
  ),
  "line breaks in a name": after([{ serialNumber: "N", humanName: " One\r\n\tTwo " }], {
    N: "One Two",
  }),
  "moments that are none": after(
    [
      "yesterday",
      5,
      {},
      "2026-02-30T00:00:00Z",
      "+010000-01-01T00:00:00Z",
      "0000-01-01T00:00:00Z",
      "2026-11-20T10:00:00",
    ].map((lastSeen, index) => ({ serialNumber: `N${index}`, humanName: "n", lastSeen })),
    { N0: "n", N1: "n", N2: "n", N3: "n", N4: "n", N5: "n", N6: "n" },
    [0, 1, 2, 3, 4, 5, 6].map((index) => `"N${index}": lastSeen is not a date and time`),
  ),
  "machines twice, alike and otherwise": after(
    [
      { serialNumber: "N", humanName: "First" },
      { serialNumber: "N", humanName: "First" },
      { serialNumber: "N", humanName: "Second" },
      { serialNumber: "SN-00001", humanName: "Other" },
    ],
    { N: "First" },
    ['"N": it is listed twice, differently', '"SN-00001": it is listed twice, differently'],
  ),
  "known machines whose items are bad: they stay": {
    body: (known) =>
      JSON.stringify({
        machines: known.map((machine, index) =>
          index < 11 ? { ...machine, humanName: index } : machine,
        ),
      }),
    expected: {
      table: {},
      bad: Array.from(
        { length: 11 },
        (_, index) => `"SN-${String(index).padStart(5, "0")}": the name is not a text`,
      ),
    },
  },
};
