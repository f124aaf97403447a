/** Bulk actions and their texts. */
import { formatNumber } from "../../../format/number";

export const bulkActions = [
  "deactivate",
  "extend",
  "add-machines",
  "remove-machines",
  "delete",
  "restore",
] as const;
export type BulkAction = (typeof bulkActions)[number];

/** Everything that can be done to codes during their life, on the screens of bulk actions or not. */
export type LifecycleAction = BulkAction | "reactivate" | "rename";

/** More codes than this are not changed by one request. */
export const maxBulkCodes = 100_000;
export const tooManyCodes = `That is more than ${formatNumber(maxBulkCodes)} codes, which is the most that one action changes. Narrow the filter and do it in parts.`;

export function parseBulkAction(text: string | null): BulkAction | null {
  return bulkActions.find((action) => action === text) ?? null;
}

/** Others may undo their own deactivation, for ten minutes. */
export function isForAdmins(action: LifecycleAction): boolean {
  return action === "restore" || action === "reactivate";
}

type Words = { button: string; does: (codes: string) => string; done: (codes: string) => string };

export const bulkTexts: Record<BulkAction, Words> = {
  deactivate: {
    button: "Deactivate",
    does: (codes) => `This deactivates ${codes}`,
    done: (codes) => `${codes} deactivated`,
  },
  extend: {
    button: "Extend expiry",
    does: (codes) => `This extends the expiry of ${codes}`,
    done: (codes) => `Expiry of ${codes} extended`,
  },
  "add-machines": {
    button: "Add machines",
    does: (codes) => `This adds machines to ${codes}`,
    done: (codes) => `Machines added to ${codes}`,
  },
  "remove-machines": {
    button: "Remove machines",
    does: (codes) => `This removes machines from ${codes}`,
    done: (codes) => `Machines removed from ${codes}`,
  },
  delete: {
    button: "Delete",
    does: (codes) => `This deletes ${codes}`,
    done: (codes) => `${codes} deleted`,
  },
  restore: {
    button: "Restore",
    does: (codes) => `This restores ${codes}`,
    done: (codes) => `${codes} restored`,
  },
};

/** Numbers of codes that an action would cover. */
export type BulkCount = {
  codes: number;
  singles: number;
  /** How many mass generations have codes among them, and how many codes those are. */
  generations: number;
  generationCodes: number;
};

/** 'This deletes 2,014 codes: 14 singles and 2 mass generations of 2,000 codes.' */
export function describeCount(action: BulkAction, count: BulkCount): string {
  const parts = [
    ...(count.singles > 0 ? [counted(count.singles, "single")] : []),
    ...(count.generations > 0 ? [generationsIn(action, count)] : []),
  ];
  const detail = parts.length > 0 ? `: ${parts.join(" and ")}` : "";
  return `${bulkTexts[action].does(counted(count.codes, "code"))}${detail}.`;
}

function generationsIn(action: BulkAction, { generations, generationCodes }: BulkCount): string {
  const codes = counted(generationCodes, "code");
  const whole = counted(generations, "mass generation");
  return action === "delete" || action === "restore"
    ? `${whole} of ${codes}`
    : `${codes} of ${whole}`;
}

/** Codes that stay as they are: how many for each reason, and the first of them. */
export type Refusals = {
  reasons: { reason: string; count: number }[];
  shown: { id: string; name: string; code: string; reason: string }[];
};

export const maxRefusalsShown = 100;

export type BulkPreview = BulkCount & { refusals: Refusals };

export type BulkResult = BulkPreview & {
  action: BulkAction;
  /** Number of codes that the confirmation showed; null if there was none. */
  expected: number | null;
};

export function counted(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? "" : "s"}`;
}

export function needsValues(action: BulkAction): boolean {
  return action === "extend" || needsMachines(action);
}

export function needsMachines(action: BulkAction): boolean {
  return action === "add-machines" || action === "remove-machines";
}
