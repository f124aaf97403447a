/** Bulk actions, and the selection of codes that they are for. */
import { formatNumber } from "../../../format/number";
import { parseRecordId } from "../../../forms/record-id";
import type { Reader } from "../../sign-in/user";
import { parsePromotionFilters, type PromotionFilters } from "../list/promotion-filters";

/** Names the buttons of bulk actions, in their order. */
export const bulkLabels = {
  deactivate: "Deactivate",
  extend: "Extend expiration",
  assign: "Assign machines",
  unassign: "Unassign machines",
  reschedule: "Change start or hours",
  delete: "Delete",
  reactivate: "Reactivate",
  restore: "Restore",
};
export type BulkAction = keyof typeof bulkLabels;
export const bulkActions = Object.keys(bulkLabels) as BulkAction[];

/** Only a mass generation is renamed as a whole. */
export type LifecycleAction = BulkAction | "rename";

/** Limits the codes that people select for one action. */
export const maxBulkCodes = 100_000;

export function tooManyCodes(atMost: number): string {
  return `One action changes at most ${formatNumber(atMost)} codes. Narrow the filter and change them in parts.`;
}

export function parseBulkAction(text: string | null): BulkAction | null {
  return bulkActions.find((action) => action === text) ?? null;
}

/** Others may undo their own deactivation of one promotion, for ten minutes. */
export function isForAdmins(action: LifecycleAction): boolean {
  return action === "restore" || action === "reactivate";
}

/** Numbers of codes that an action would cover. */
export type BulkCount = {
  codes: number;
  singles: number;
  /** How many mass generations have codes among them, and how many codes those are. */
  generations: number;
  generationCodes: number;
};

/** Codes that stay as they are: how many for each reason, and the first of them. */
export type Refusals<Reason = string> = {
  reasons: { reason: Reason; count: number }[];
  shown: { id: string; name: string; code: string; reason: Reason }[];
};

export const maxRefusalsShown = 100;

/** Number of lines in which a confirmation names codes; mass generations with more are one line each. */
export const maxCodesNamed = 10;

/** A code, or the codes of a mass generation, that an action changes. */
export type NamedCodes = { id: string; name: string } & (
  { code: string; codes?: null } | { code: null; codes: number }
);

export type BulkOutcome = BulkCount & {
  /** The first of those that change, mass generations before codes. */
  named: NamedCodes[];
  refusals: Refusals;
};

export function needsTargets(action: LifecycleAction): boolean {
  return action === "assign" || action === "unassign";
}

export type PromotionSelection =
  | {
      kind: "ticked";
      ids: string[];
      /** Mass generations of which all codes are meant. */
      generations?: string[];
    }
  | { kind: "matching"; filters: PromotionFilters };

/** Limits the ticked rows to those that a browser keeps selected. */
const maxTicked = 1_000;

/** A selection, and why it can't be read. */
type ParsedSelection = { selection: PromotionSelection; error: string | null };

/**
 * Parses `ids`, or with `all` the filter. A value holds the id of a code, or that of a mass generation after a 'g', or
 * several of them with dots between: 1,000 parameters would make the URL longer than a request may be. A filter that
 * can't be read would widen the selection, so it is an error and never ignored.
 * @returns null when nothing is chosen
 */
export function parseSelection(params: URLSearchParams, reader: Reader): ParsedSelection | null {
  if (params.has("all")) return parseMatching(params, reader);
  const ticked = new Set(params.getAll("ids").flatMap((value) => value.split(".")));
  if (ticked.size === 0) return null;
  const ids = [...ticked].filter((key) => !key.startsWith("g"));
  const generations = [...ticked].flatMap((key) => (key.startsWith("g") ? key.slice(1) : []));
  const isValid =
    ticked.size <= maxTicked && [...ids, ...generations].every((id) => parseRecordId(id) !== null);
  const chosen = { ids, ...(generations.length > 0 && { generations }) };
  return {
    selection: { kind: "ticked", ...(isValid ? chosen : { ids: [] }) },
    error: isValid ? null : "The selection is not valid. Select the codes again.",
  };
}

export function parseMatching(params: URLSearchParams, reader: Reader): ParsedSelection {
  const { filters, errors } = parsePromotionFilters(params, reader);
  return { selection: { kind: "matching", filters }, error: Object.values(errors)[0] ?? null };
}

export const nothingChosen = "Select at least one code, or all that match.";
