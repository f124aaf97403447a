import type { LoaderFunctionArgs } from "@remix-run/node";
import { siteToday } from "../../db/site.server";
import type { Picker } from "../../features/assignments/targets";
import { loadPickers } from "../../features/assignments/targets.server";
import { parseIds } from "../../features/promotions/lifecycle/action-values";
import {
  type LifecycleAction,
  needsTargets,
} from "../../features/promotions/lifecycle/bulk-actions";
import { findBulk, mayUndoBulk } from "../../features/promotions/lifecycle/bulk-actions.server";
import {
  bulkTexts,
  describeConsequence,
  describeOutcome,
  describeResult,
  fillCodes,
} from "../../features/promotions/lifecycle/bulk-texts";
import type { Session } from "../../http/sessions.server";

/** Loads the machines and groups to choose from, where the action needs them. */
export async function pickersFor(
  action: LifecycleAction,
  fields: FormData | URLSearchParams,
): Promise<Picker[]> {
  return needsTargets(action) ? loadPickers(fields) : [];
}

/** Reads what the page of a bulk action shows while it waits for its confirmation, while it runs and when it is done. */
export async function readPage({ params }: LoaderFunctionArgs, { user }: Session) {
  const bulk = await findBulk(user.id, params.operationId!);
  const { action, state, position, total, outcome } = bulk;
  const { codes, refusals } = outcome;
  const skipped = refusals.reasons.reduce((sum, { count }) => sum + count, 0);
  const common = { action, outcome, skipped };
  if (state === "running") {
    const title = fillCodes(bulkTexts[action].doing, total);
    const quarter = 25 * Math.floor((4 * position) / total);
    return { ...common, state, title, status: `${quarter}% done`, position, total };
  }
  if (state === "done") {
    const generations = parseIds(bulk.generationIds).length;
    const undoLabel = fillCodes(bulkTexts.reactivate.title, codes, generations);
    return {
      ...common,
      state,
      kind: codes > 0 || generations > 0 ? ("success" as const) : ("info" as const),
      title: describeResult(action, codes, generations),
      status: describeOutcome(codes, skipped, generations),
      undoLabel: mayUndoBulk(bulk, user) ? undoLabel : null,
    };
  }
  const today = await siteToday();
  const { title } = bulkTexts[action];
  return {
    ...common,
    state,
    status: "",
    today,
    title: codes === 0 ? "No code can be changed" : fillCodes(title, codes),
    consequence: describeConsequence(action, outcome),
    pickers: await pickersFor(action, new URLSearchParams()),
  };
}
