/** Bulk actions, their texts, and the selection of codes that they are for. */
import { countOf, formatNumber } from "../../../format/number";
import { pageSearch } from "../../../forms/list";
import { parseRecordId } from "../../../forms/record-id";
import { parsePromotionFilters, type PromotionFilters } from "../list/promotion-filters";

export const bulkActions = [
  "deactivate",
  "extend",
  "add-machines",
  "remove-machines",
  "delete",
  "restore",
] as const;
export type BulkAction = (typeof bulkActions)[number];

export type LifecycleAction = BulkAction | "reactivate";

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

/** Texts of the actions; `{codes}` stands for the number of codes. */
export const bulkTexts: Record<BulkAction, { button: string; does: string; done: string }> = {
  deactivate: { button: "Deactivate", does: "deactivates {codes}", done: "{codes} deactivated" },
  extend: {
    button: "Extend expiry",
    does: "extends the expiry of {codes}",
    done: "Expiry of {codes} extended",
  },
  "add-machines": {
    button: "Add machines",
    does: "adds machines to {codes}",
    done: "Machines added to {codes}",
  },
  "remove-machines": {
    button: "Remove machines",
    does: "removes machines from {codes}",
    done: "Machines removed from {codes}",
  },
  delete: { button: "Delete", does: "deletes {codes}", done: "{codes} deleted" },
  restore: { button: "Restore", does: "restores {codes}", done: "{codes} restored" },
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
  const generationCodes = countOf(count.generationCodes, "code");
  const generations = countOf(count.generations, "mass generation");
  const coversGenerations = action === "delete" || action === "restore";
  const parts = [
    count.singles > 0 && countOf(count.singles, "single"),
    count.generations > 0 &&
      (coversGenerations
        ? `${generations} of ${generationCodes}`
        : `${generationCodes} of ${generations}`),
  ].filter(Boolean);
  const detail = parts.length > 0 ? `: ${parts.join(" and ")}` : "";
  return `This ${fillCodes(bulkTexts[action].does, count.codes)}${detail}.`;
}

export function describeResult(action: BulkAction, codes: number): string {
  return fillCodes(bulkTexts[action].done, codes);
}

function fillCodes(text: string, codes: number): string {
  return text.replace("{codes}", countOf(codes, "code"));
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

export function needsValues(action: BulkAction): boolean {
  return action === "extend" || needsMachines(action);
}

export function needsMachines(action: BulkAction): boolean {
  return action === "add-machines" || action === "remove-machines";
}

export type PromotionSelection =
  | {
      kind: "ticked";
      ids: string[];
      /** Mass generations of which all codes are meant. */
      generations?: string[];
    }
  | { kind: "matching"; filters: PromotionFilters };

/** A page of the list has 50 rows at most. */
const maxTicked = 1_000;

/** A selection, and why it can't be read. */
type ParsedSelection = { selection: PromotionSelection; problem: string | null };

/**
 * Parses `ids` and `generations`, or with `all` the filter. A filter that can't be read would widen the selection, so
 * it is a problem and never ignored.
 * @returns null when nothing is chosen
 */
export function parseSelection(params: URLSearchParams): ParsedSelection | null {
  if (params.has("all")) return parseMatching(params);
  const [ids, generations] = [params.getAll("ids"), params.getAll("generations")].map((values) => [
    ...new Set(values),
  ]) as [string[], string[]];
  const ticked = [...ids, ...generations];
  if (ticked.length === 0) return null;
  const isValid = ticked.length <= maxTicked && ticked.every((id) => parseRecordId(id) !== null);
  const chosen = { ids, ...(generations.length > 0 && { generations }) };
  return {
    selection: { kind: "ticked", ...(isValid ? chosen : { ids: [] }) },
    problem: isValid ? null : "The selection can't be read.",
  };
}

export function parseMatching(params: URLSearchParams): ParsedSelection {
  const { filters, errors } = parsePromotionFilters(params);
  return { selection: { kind: "matching", filters }, problem: Object.values(errors)[0] ?? null };
}

export const nothingChosen = "Tick at least one code first, or choose all that match.";

/** Returns the parameters of the list that a selection was made in: filter, order and page. */
export function listParams(params: URLSearchParams): URLSearchParams {
  return new URLSearchParams(
    pageSearch(params, ["ids", "generations", "all", "ticked", "intent", "select"]),
  );
}
