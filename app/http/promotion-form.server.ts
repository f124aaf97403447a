/** The two forms that create promotions: their loader data and their action. */
import type { Validator } from "remix-validated-form";
import { layOutPickers, toParams } from "../features/assignments/targets";
import { listAssignableTargets } from "../features/assignments/targets.server";
import type {
  CreateOptions,
  FormPrefill,
} from "../features/promotions/form/create-promotion.server";
import { createIntent } from "../features/promotions/form/promotion-forms";
import { siteToday } from "../features/promotions/promotion-sql.server";
import { formatDateInput } from "../forms/typed-date";
import { formAction, newForm } from "./form-action.server";
import { requireUser } from "./guards.server";
import type { RouteArgs } from "./sessions.server";

/** @param copy the promotion that the form starts from: its machines and groups are ticked */
export async function loadPromotionForm(args: RouteArgs, copy: FormPrefill | null) {
  const [today, targets] = await Promise.all([siteToday(), listAssignableTargets()]);
  return {
    today,
    expiryExample: formatDateInput(`${today.slice(0, 4)}-12-31`),
    pickers: layOutPickers(targets, copy ? toParams(copy) : new URLSearchParams()),
    ...newForm(args),
  };
}

type PromotionFormAction<Input> = {
  /** @param today YYYY-MM-DD in the site's zone */
  validator: (today: string) => Validator<Input>;
  /** Returns where to go and the message there. */
  create: (input: Input, options: CreateOptions) => Promise<{ to: string; text: string }>;
};

/** A press of a picker's button shows the form again. */
export function promotionFormAction<Input>({ validator, create }: PromotionFormAction<Input>) {
  return formAction({
    guard: requireUser,
    intent: createIntent,
    validator: async () => validator(await siteToday()),
    run: async (input, { options }) => ({
      ...(await create(input, options)),
      hideAfterMs: 6_000,
    }),
    rerender: async ({ posted }) => ({
      pickers: layOutPickers(await listAssignableTargets(), posted),
    }),
  });
}
