/** The buttons that mend what a check found, and what each does to the code or its mass generation. */
import { addTargets, changeAssignments } from "../../features/assignments/assignments.server";
import { generationOwner } from "../../features/mass-generations/mass-generation.server";
import { replacePromotion } from "../../features/promotions/form/replace-promotion.server";
import type { Promotion, PromotionStatus } from "../../features/promotions/promotion";
import type { CodeCheck } from "../../features/redemptions/check-code.server";
import type { Actor } from "../../features/activity/audit-log.server";
import {
  changeLifecycle,
  mayReactivate,
} from "../../features/promotions/lifecycle/promotion-lifecycle.server";
import { describeOutcome } from "../../features/promotions/lifecycle/questions";
import {
  promotionOwner,
  type getPromotionDetails,
} from "../../features/promotions/promotions.server";
import { allCodes, formatCode } from "../../format/promotion";
import type { Attempt, FormPost } from "../../http/form-action.server";
import { paths } from "../../paths";

export type Fix = { label: string } & (
  | { to: string; intent?: undefined }
  | { intent: FixIntent; fields: Record<string, string>; pendingLabel: string }
);

type FixIntent = "assign" | "reactivate" | "replace";

type Finding = {
  details: Awaited<ReturnType<typeof getPromotionDetails>>;
  /** The reason of the machine's refusal or, where none was named, the status. */
  reason: NonNullable<CodeCheck["verdict"]> | PromotionStatus;
  machine: CodeCheck["machine"];
  actor: Actor;
  isAdmin: boolean;
};

/** @returns the buttons, the main one first, or a sentence about who else can mend it */
export async function findFixes(finding: Finding): Promise<Fix[] | string> {
  const { promotion, replacement } = finding.details;
  const { id } = promotion;
  switch (finding.reason) {
    case "deleted":
      return finding.isAdmin
        ? [{ label: "Restore", to: `${paths.promotionRestoring(id)}?deleted=true` }]
        : "Only an admin can restore it.";
    case "inactive":
      return reactivation(finding);
    case "expired":
      return extensions(finding);
    case "used_up":
      return [
        replacement
          ? { label: "Show its replacement", to: paths.promotion(replacement.id) }
          : {
              label: "Create a replacement code",
              pendingLabel: "Creating...",
              intent: "replace",
              fields: { id },
            },
        { label: "Show who used it", to: paths.transactionsOfCode(promotion.code) },
      ];
    case "not_assigned":
      return assignments(finding);
    case "scheduled":
    case "not_yet":
    case "outside_hours":
      return [timesEdit(promotion)];
    case "cap_reached":
      return [capsEdit(promotion)];
    case "machine_unknown":
      return [{ label: "Show machines", to: paths.machines }];
    default:
      return [];
  }
}

/** Reactivates the mass generation where that is inactive, and otherwise the code. */
async function reactivation({ details, actor }: Finding): Promise<Fix[] | string> {
  const { id, massGenerationId, numberOfCodes } = details.promotion;
  const isWhole = !details.isGenerationActive && massGenerationId !== null;
  const subject = isWhole
    ? ({ owner: "mass_generation", id: massGenerationId } as const)
    : ({ owner: "promotion", id } as const);
  if (!(await mayReactivate({ type: subject.owner, id: subject.id }, actor)))
    return "Only an admin can reactivate it.";
  const label = isWhole ? `Reactivate ${allCodes(numberOfCodes!)}` : "Reactivate";
  return [{ label, pendingLabel: "Reactivating...", intent: "reactivate", fields: subject }];
}

function extensions({ details }: Finding): Fix[] {
  const { id, massGenerationId, numberOfCodes } = details.promotion;
  if (massGenerationId === null)
    return [{ label: "Extend its expiration", to: `${paths.promotion(id)}#edit` }];
  return [
    {
      label: `Extend ${allCodes(numberOfCodes!)}`,
      to: `${paths.generation(massGenerationId)}#edit`,
    },
    { label: "Extend only this code", to: `${paths.promotion(id)}#edit` },
  ];
}

/** Leads to the start and the hours, which a code of a mass generation has with all others of it. */
function timesEdit({ id, massGenerationId }: Promotion): Fix {
  if (massGenerationId === null)
    return { label: "Change its start or hours", to: `${paths.promotion(id)}#edit` };
  const to = `${paths.generation(massGenerationId)}#edit`;
  return { label: "Change the start or hours of its campaign", to };
}

function capsEdit({ id, massGenerationId }: Promotion): Fix {
  const to =
    massGenerationId === null ? paths.promotionCaps(id) : paths.generationCaps(massGenerationId);
  return { label: "Change caps", to };
}

/** Adds the machine to what the code is assigned to; where none was named, leads to the choice. */
function assignments({ details, machine }: Finding): Fix[] {
  const { id, massGenerationId, numberOfCodes } = details.promotion;
  if (!machine) return [{ label: "Assign machines", to: paths.promotionMachines(id) }];
  const { serialNumber, humanName } = machine;
  const assign = (owner: string, ownerId: string, label: string): Fix => ({
    label,
    pendingLabel: "Assigning...",
    intent: "assign",
    fields: { owner, id: ownerId, serialNumber },
  });
  if (!details.isShared) return [assign("promotion", id, `Assign ${humanName}`)];
  return [
    assign(
      "mass_generation",
      massGenerationId!,
      `Assign ${humanName} to ${allCodes(numberOfCodes!)}`,
    ),
    assign("promotion", id, "Assign it to this code only"),
  ];
}

/** Does what a button posts, and checks the code again. */
export const runFix: Record<FixIntent, Attempt> = {
  async assign(post) {
    const serialNumber = post.field("serialNumber");
    const owner = isWhole(post)
      ? generationOwner(post.field("id"))
      : promotionOwner(post.field("id"));
    await changeAssignments(owner, addTargets({ machines: [serialNumber] }), post.options);
    return { to: sameCheck(post), text: `Assigned to ${serialNumber}` };
  },
  async reactivate(post) {
    const type = isWhole(post) ? "mass_generation" : "promotion";
    const subject = { type, id: post.field("id") } as const;
    const outcome = await changeLifecycle(subject, "reactivate", post.options);
    const noun = isWhole(post) ? "campaign" : "code";
    const message = describeOutcome(noun, { done: "reactivated", state: "active" }, outcome);
    return { to: sameCheck(post), ...message };
  },
  async replace({ field, options }) {
    const { id, code } = await replacePromotion(field("id"), options);
    return { to: paths.promotion(id), text: `Replacement code ${formatCode(code)} created` };
  },
};

function isWhole({ field }: FormPost): boolean {
  return field("owner") === "mass_generation";
}

function sameCheck({ request }: FormPost): string {
  const { pathname, search } = new URL(request.url);
  return `${pathname}${search}`;
}
