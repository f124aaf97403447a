/** The two forms that create promotions: their loader data and their action. */
import { siteToday } from "../db/site.server";
import { invalidFields } from "../errors";
import type { Validator } from "remix-validated-form";
import { toParams } from "../features/assignments/targets";
import { loadPickers } from "../features/assignments/targets.server";
import type {
  CreateOptions,
  FormPrefill,
} from "../features/promotions/form/create-promotion.server";
import { createIntent, switchIntent } from "../features/promotions/form/promotion-forms";
import { termsInputErrors } from "../features/promotions/form/terms-input.server";
import { formFields } from "../features/promotions/promotion-fields";
import { formIdField } from "../forms/validator";
import { formFields as postedFields } from "./form-fields.server";
import { formAction } from "./form-action.server";
import { requireEditor } from "./guards.server";
import type { RouteArgs } from "./sessions.server";

/** @param readCopy reads what the form starts from, by the id in its address: its machines and groups are ticked */
export async function loadPromotionForm(
  args: RouteArgs,
  readCopy: (id: string | null) => Promise<FormPrefill | null>,
) {
  const copy = await readCopy(new URL(args.request.url).searchParams.get("from"));
  const fields = copy ? toParams(copy) : new URLSearchParams();
  const [today, pickers] = await Promise.all([siteToday(), loadPickers(fields)]);
  return { copy, today, pickers };
}

/** Renames what was entered in one form to the fields of the other. */
function toOtherForm(posted: FormData) {
  const fields = postedFields({}, posted).repopulateFields;
  for (const { single, mass } of formFields()) {
    if (single === mass) continue;
    const [from, to] = single in fields ? [single, mass] : [mass, single];
    fields[to] = fields[from] ?? "";
  }
  return fields;
}

type PromotionFormAction<Input> = {
  formId: string;
  /** @param today YYYY-MM-DD in the site's zone */
  validator: (today: string) => Validator<Input>;
  /** The same without what `create` checks behind the idempotency key. */
  unboundValidator: Validator<Input>;
  create: (input: Input, options: CreateOptions) => Promise<{ to: string; text: string }>;
};

/**
 * A press of a picker's button shows the form again, one of the other form's tab this one: also after signing in
 * again, when nothing but the id of the form tells which it was.
 */
export function promotionFormAction<Input>({
  formId,
  validator,
  unboundValidator,
  create,
}: PromotionFormAction<Input>) {
  return formAction({
    guard: requireEditor,
    intent: createIntent,
    validator: async ({ posted }) => {
      const { error } = await unboundValidator.validate(posted);
      const termErrors = termsInputErrors(posted);
      if (!error && Object.keys(termErrors).length === 0) return unboundValidator;
      // A form that is refused anyway is told all that is wrong with it.
      const bound = await validator(await siteToday()).validate(posted);
      throw invalidFields({ ...bound.error?.fieldErrors, ...termErrors });
    },
    run: async (input, { options }) => ({
      ...(await create(input, options)),
      hideAfterMs: 6_000,
    }),
    rerender: async ({ posted, field }) => ({
      pickers: await loadPickers(posted),
      ...((field("intent") === switchIntent || ![formId, ""].includes(field(formIdField))) && {
        formId,
        repopulateFields: toOtherForm(posted),
      }),
    }),
  });
}
