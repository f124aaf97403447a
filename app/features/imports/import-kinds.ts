/** The kinds of files: their columns, and the words of the screens about them. */
import { countOf, formatNumber } from "../../format/number";
import { formatCodes } from "../../format/promotion";

export type ImportKind = "codes" | "machines" | "groups" | "assignments";

/** Numbers of what the rows of a file make, by the names that the audit log has. */
export type ImportCounts = Record<string, number>;

/** @param examples its cells in the rows of the template */
const column = (name: string, help: string, ...examples: string[]) => {
  return { name, help, examples, isRequired: false };
};

const required: typeof column = (...parts) => ({ ...column(...parts), isRequired: true });

type Kind = {
  label: string;
  isForAdmins?: boolean;
  /** Scope that a key needs. */
  scope: "promotions" | "machines";
  columns: readonly ReturnType<typeof column>[];
  /** Says what the rows of a file make: '2 machine groups and 30 machines in groups'. */
  describe: (counts: ImportCounts) => string;
  /** Names what may stay when an import is undone. */
  noun: string;
  /** Says what undoing removes now. */
  undoing: (counts: ImportCounts) => string;
  /** Says what an undone import left. */
  undone: string;
  /** Whether the same file restores what undoing deleted. */
  restores?: boolean;
};

const machines = (...examples: string[]) =>
  column("machines", "Serial numbers, with commas between them", ...examples);
const groups = (...examples: string[]) =>
  column(
    "groups",
    "Names of machine groups, in the same way; those with a comma in double quotes",
    ...examples,
  );

/** Kinds of files, in the order of the choice. */
export const importKinds: Record<ImportKind, Kind> = {
  codes: {
    label: "Printed codes",
    scope: "promotions",
    columns: [
      required("code", "8 to 32 letters and digits; spaces and dashes are ignored", "SUMMER-0001"),
      required("name", "At most 200 characters", "Summer 2027"),
      required("discount", "A percentage, or 'free drink'", "20%"),
      required("uses", "'single', 'unlimited', or the number of free drinks", "single"),
      column("expiration", "The last day, such as 31/12/2027", "31/12/2027"),
      machines(""),
      groups(""),
    ],
    describe: describeCodes,
    noun: "code",
    undoing: (counts) => `This deletes ${describeCodes(counts)}.`,
    undone: "The imported codes are deleted. Import the same file again to restore them.",
    restores: true,
  },
  machines: {
    label: "Machines",
    isForAdmins: true,
    scope: "machines",
    columns: [
      required(
        "serial_number",
        "At most 100 characters; upper and lower case matter",
        ...["VM-1001", "VM-1002"],
      ),
      column("name", "At most 200 characters; without one, the serial number", "Lobby", "Canteen"),
    ],
    describe: ({ machines: added = 0, existing = 0 }) =>
      withExisting(countOf(added, "machine"), existing),
    noun: "machine",
    undoing: ({ machines: removed = 0 }) =>
      `This marks ${countOf(removed, "machine")} as deleted. What is in use stays.`,
    undone:
      "The imported machines are marked as deleted. Import the same file again to restore them.",
    restores: true,
  },
  groups: {
    label: "Machine groups",
    scope: "machines",
    columns: [
      required("group", "The name of a group; a new one is created", "Stations", "Stations"),
      required(
        "machines",
        "Serial numbers of machines to add, with commas between them",
        ...["VM-1001", "VM-1002"],
      ),
      column("kind", "Of a new group: site, route, customer or other", "site", ""),
    ],
    describe: ({ machine_groups: added = 0, members = 0, existing = 0 }) =>
      withExisting(
        `${countOf(added, "new group")} and ${countOf(members, "machine")} in groups`,
        existing,
      ),
    noun: "group",
    undoing: ({ machine_groups: removed = 0, members = 0 }) =>
      `This deletes ${countOf(removed, "group")}, and takes ${countOf(members, "machine")} out of groups. What is in use stays.`,
    undone: "The imported groups and members are removed.",
  },
  assignments: {
    label: "Assignments",
    scope: "machines",
    columns: [
      column(
        "campaign",
        "The name of a campaign, or # and its number, such as #12",
        ...["Summer 2027", ""],
      ),
      column("code", "Instead of a campaign: one code, which is assigned alone", "", "SUMMER-0001"),
      machines("VM-1001,VM-1002", ""),
      groups("", "Stations"),
    ],
    describe: ({ assignments = 0, campaigns = 0, existing = 0 }) =>
      withExisting(
        `${countOf(assignments, "assignment")} of ${countOf(campaigns, "campaign")}`,
        existing,
      ),
    noun: "campaign",
    undoing: ({ assignments = 0, campaigns = 0 }) =>
      `This removes ${countOf(assignments, "assignment")} of ${countOf(campaigns, "campaign")}. What is in use stays.`,
    undone: "The imported assignments are removed.",
  },
};

function describeCodes({ mass_generations: generations = 0, ...counts }: ImportCounts): string {
  const { codes = 0, single_codes: singles = 0 } = counts;
  const mass = `${countOf(generations, "mass generation")} with ${formatCodes(codes)}`;
  const single = countOf(singles, "single code");
  if (generations === 0) return single;
  return singles === 0 ? mass : `${mass} and ${single}`;
}

/** Adds what the rows name that is there already, which an import leaves as it is. */
function withExisting(text: string, existing: number): string {
  return existing > 0 ? `${text}; ${formatNumber(existing)} more exist already` : text;
}

export function isImportKind(text: string): text is ImportKind {
  return Object.hasOwn(importKinds, text);
}
