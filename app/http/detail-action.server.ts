/** The action of the pages of a promotion and of a mass generation: their form, and their buttons. */
import { DomainError } from "../errors";
import { KeyConflict } from "../features/activity/idempotency.server";
import { type EditFormFacts, editFormValidator } from "../features/promotions/form/promotion-forms";
import { readTimes } from "../features/promotions/form/times-form.server";
import { changeLifecycle } from "../features/promotions/lifecycle/promotion-lifecycle.server";
import type { CampaignTimes } from "../features/promotions/schedule";
import { describeOutcome, describeSuccess } from "../features/promotions/lifecycle/questions";
import { parseDateInput } from "../forms/date-input";
import { wholeFormError } from "../forms/validator";
import { formatCodes } from "../format/promotion";
import { undoIntent } from "../lists/list-params";
import { paths } from "../paths";
import { checked, type FormPost, formsAction } from "./form-action.server";
import { requireEditor } from "./guards.server";

const subjects = {
  promotion: { noun: "code", idOf: "promotionId", path: paths.promotion },
  mass_generation: { noun: "campaign", idOf: "generationId", path: paths.generation },
} as const;

type Edit = {
  name: string | null;
  expirationDate: string | null;
  version: number;
} & Partial<CampaignTimes>;

/**
 * @param readFacts reads what the form depends on, and the version that is stored
 * @param edit changes what the form is about
 */
export function detailAction(
  type: keyof typeof subjects,
  readFacts: (id: string) => Promise<EditFormFacts & { version: number }>,
  edit: (id: string, edit: Edit, options: FormPost["options"]) => Promise<unknown>,
) {
  const { noun, idOf, path } = subjects[type];
  const change =
    (action: "deactivate" | "reactivate", isUndo = false) =>
    async ({ params, options }: FormPost) => {
      const id = params[idOf] ?? "";
      const subject = { type, id };
      const outcome = await changeLifecycle(subject, action, { ...options, isUndo });
      const state = action === "deactivate" ? "inactive" : "active";
      const message = describeOutcome(noun, { done: `${action}d`, state }, outcome);
      if (message.kind === "info") return { to: path(id), ...message };
      const { covered } = outcome;
      const undoPath = action === "deactivate" ? path(id) : null;
      const codes = type === "mass_generation" && covered > 0 ? `: ${formatCodes(covered)}` : "";
      return { to: path(id), text: message.text + codes, undoPath };
    };
  return formsAction({
    guard: requireEditor,
    forms: {
      "": checked(
        async ({ params, field }) => {
          const { version, ...facts } = await readFacts(params[idOf] ?? "");
          if (field("version") === String(version)) return editFormValidator(facts);
          // The day of an earlier version is no error: the edit is a conflict, unless it was saved before.
          const heldDay = parseDateInput(field("expiration_date"));
          return editFormValidator({ ...facts, heldDay, earlierDayError: null });
        },
        async ({ times, ...values }, { params, posted, options }) => {
          const id = params[idOf] ?? "";
          try {
            await edit(id, { ...values, ...(times && readTimes(times)) }, options);
          } catch (cause) {
            throw isConflict(cause)
              ? await withFieldErrors(cause, posted, await readFacts(id))
              : cause;
          }
          return { to: path(id), text: describeSuccess(noun, "updated") };
        },
      ),
      deactivate: change("deactivate"),
      reactivate: change("reactivate"),
      [undoIntent]: change("reactivate", true),
    },
  });
}

/** Tells whether somebody else changed or deleted what the form edits. */
function isConflict(cause: unknown): cause is DomainError {
  return (
    cause instanceof DomainError && cause.reason === "conflict" && !(cause instanceof KeyConflict)
  );
}

/** Adds the errors for which the form would be rejected when it is sent again. */
async function withFieldErrors(
  { reason, message }: DomainError,
  posted: FormData,
  facts: EditFormFacts,
): Promise<DomainError> {
  const { error } = await editFormValidator(facts).validate(posted);
  return new DomainError(
    reason,
    message,
    error && { [wholeFormError]: message, ...error.fieldErrors },
  );
}
