/** The kinds of files: their columns, and the words of the screens about them. */
import { countOf, formatNumber } from "../../format/number";
import { formatCodes } from "../../format/promotion";

export type ImportKind = "codes" | "machines" | "groups" | "assignments";

/** Numbers of what the rows of a file make, by the names that the audit log has. */
export type ImportCounts = Record<string, number>;

type ImportColumn = {
  name: string;
  isRequired?: boolean;
  help: string;
  /** Its cells in the rows of the template. */
  examples: readonly string[];
};

type Kind = {
  label: string;
  isForAdmins?: boolean;
  /** Scope that a key needs. */
  scope: "promotions" | "machines";
  columns: readonly ImportColumn[];
  /** Says what the rows of a file make: '2 machine groups and 30 machines in groups'. */
  describe: (counts: ImportCounts) => string;
  /** Names what may stay when an import is undone. */
  noun: string;
  /** Says what an undone import left. */
  undone: string;
};

const machines = { name: "machines", help: "Serial numbers, with commas between them" };
const groups = { name: "groups", help: "Names of machine groups, in the same way" };

/** Kinds of files, in the order of the choice. */
export const importKinds: Record<ImportKind, Kind> = {
  codes: {
    label: "Printed codes",
    scope: "promotions",
    columns: [
      {
        name: "code",
        isRequired: true,
        help: "8 to 32 letters and digits; spaces and dashes are ignored",
        examples: ["SUMMER-0001"],
      },
      {
        name: "name",
        isRequired: true,
        help: "At most 200 characters",
        examples: ["Summer 2027"],
      },
      {
        name: "discount",
        isRequired: true,
        help: "A percentage, or 'free drink'",
        examples: ["20%"],
      },
      {
        name: "uses",
        isRequired: true,
        help: "'single', 'unlimited', or the number of free drinks",
        examples: ["single"],
      },
      {
        name: "expiration",
        help: "The last day, such as 31/12/2027",
        examples: ["31/12/2027"],
      },
      { ...machines, examples: [""] },
      { ...groups, examples: [""] },
    ],
    describe({ mass_generations: generations = 0, codes = 0, single_codes: singles = 0 }) {
      const mass = `${countOf(generations, "mass generation")} with ${formatCodes(codes)}`;
      const single = countOf(singles, "single code");
      if (generations === 0) return single;
      return singles === 0 ? mass : `${mass} and ${single}`;
    },
    noun: "single code",
    undone: "The imported codes are deleted. Import the same file again to restore them.",
  },
  machines: {
    label: "Machines",
    isForAdmins: true,
    scope: "machines",
    columns: [
      {
        name: "serial_number",
        isRequired: true,
        help: "At most 100 characters; upper and lower case matter",
        examples: ["VM-1001", "VM-1002"],
      },
      {
        name: "name",
        help: "At most 200 characters; without one, the serial number",
        examples: ["Lobby", "Canteen"],
      },
    ],
    describe: ({ machines: added = 0, existing = 0 }) =>
      withExisting(countOf(added, "machine"), existing),
    noun: "machine",
    undone:
      "The imported machines are marked as deleted. Import the same file again to restore them.",
  },
  groups: {
    label: "Machine groups",
    scope: "machines",
    columns: [
      {
        name: "group",
        isRequired: true,
        help: "The name of a group; a new one is created",
        examples: ["Stations", "Stations"],
      },
      {
        name: "machines",
        isRequired: true,
        help: "Serial numbers of machines to add, with commas between them",
        examples: ["VM-1001", "VM-1002"],
      },
      {
        name: "kind",
        help: "Of a new group: site, route, customer or other",
        examples: ["site", ""],
      },
    ],
    describe: ({ machine_groups: added = 0, members = 0, existing = 0 }) =>
      withExisting(
        `${countOf(added, "new group")} and ${countOf(members, "machine")} in groups`,
        existing,
      ),
    noun: "group",
    undone: "The imported groups and members are removed.",
  },
  assignments: {
    label: "Assignments",
    scope: "promotions",
    columns: [
      {
        name: "campaign",
        help: "The name of a campaign, or # and its number, such as #12",
        examples: ["Summer 2027", ""],
      },
      {
        name: "code",
        help: "Instead of a campaign: one code, which is assigned alone",
        examples: ["", "SUMMER-0001"],
      },
      { ...machines, examples: ["VM-1001,VM-1002", ""] },
      { ...groups, examples: ["", "Stations"] },
    ],
    describe: ({ assignments = 0, campaigns = 0, existing = 0 }) =>
      withExisting(
        `${countOf(assignments, "assignment")} of ${countOf(campaigns, "campaign")}`,
        existing,
      ),
    noun: "campaign",
    undone: "The imported assignments are removed.",
  },
};

/** Adds what the rows name that is there already, which an import leaves as it is. */
function withExisting(text: string, existing: number): string {
  return existing > 0 ? `${text}; ${formatNumber(existing)} more exist already` : text;
}

export function isImportKind(text: string): text is ImportKind {
  return Object.hasOwn(importKinds, text);
}
