/** Serial numbers as people paste them: from a column of a sheet, a mail, a delivery note. */

/** A machine that a text may mean. */
export type KnownMachine = { id: string; serialNumber: string; isDeleted: boolean };

/** The outcome of each text: it is in exactly one of these lists, in the order of the paste. */
type ReadSerials = {
  machines: KnownMachine[];
  unknown: string[];
  /** Written in other cases, several machines have this serial number. */
  ambiguous: string[];
};

/** Everything that may be a serial number of its own, whichever way the text is taken apart. */
export function possibleSerials(pasted: string): string[] {
  const found = new Set<string>();
  for (const line of linesOf(pasted)) {
    found.add(line);
    for (const part of partsOf(line)) {
      found.add(part);
      for (const piece of piecesOf(part)) found.add(piece);
    }
  }
  return [...found];
}

/**
 * Takes the text apart as far as it has to: a line that is a serial number is one, whatever is in
 * it; then tabs, commas and semicolons separate, and at last spaces.
 * @param known by each possible serial number, the machines that have it in whatever case
 * @param mayHoldSpaces some serial numbers do: then spaces separate only what is known on each side
 */
export function readSerials(
  pasted: string,
  known: ReadonlyMap<string, readonly KnownMachine[]>,
  mayHoldSpaces: boolean,
): ReadSerials {
  const machines = new Map<string, KnownMachine>();
  const [unknown, ambiguous] = [new Set<string>(), new Set<string>()];
  const isKnown = (text: string) => meant(text, known) !== "unknown";
  const take = (text: string) => {
    const found = meant(text, known);
    if (found === "unknown") unknown.add(text);
    else if (found === "ambiguous") ambiguous.add(text);
    else machines.set(found.id, found);
  };
  for (const line of linesOf(pasted)) {
    for (const part of isKnown(line) ? [line] : partsOf(line)) {
      const pieces = piecesOf(part);
      const isOne = isKnown(part) || (mayHoldSpaces && !pieces.every(isKnown));
      for (const text of isOne ? [part] : pieces) take(text);
    }
  }
  return { machines: [...machines.values()], unknown: [...unknown], ambiguous: [...ambiguous] };
}

/** Finds the exact serial number, otherwise the only one that differs in case. */
function meant(
  text: string,
  known: ReadonlyMap<string, readonly KnownMachine[]>,
): KnownMachine | "unknown" | "ambiguous" {
  const machines = known.get(text) ?? [];
  const exact = machines.find((machine) => machine.serialNumber === text);
  if (exact) return exact;
  // One that was deleted may have come back in another case.
  const live = machines.filter((machine) => !machine.isDeleted);
  const [one, ...others] = live.length > 0 ? live : machines;
  if (!one) return "unknown";
  return others.length === 0 ? one : "ambiguous";
}

function linesOf(pasted: string): string[] {
  return pasted
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter(Boolean);
}

function partsOf(line: string): string[] {
  return line
    .split(/[\t,;]/)
    .map((part) => part.trim())
    .filter(Boolean);
}

function piecesOf(part: string): string[] {
  return part.split(/\s+/);
}
