/** Runs the buttons on the pages of a promotion and of a mass generation. */
import { changeLifecycle } from "../features/promotions/lifecycle/promotion-lifecycle.server";
import { paths } from "../paths";
import type { FormPost } from "./form-action.server";

const subjects = {
  promotion: { noun: "Promotion", idOf: "promotionId", path: paths.promotion },
  mass_generation: { noun: "Mass Generation", idOf: "generationId", path: paths.generation },
} as const;

/** Returns the forms that deactivate and reactivate, for `formsAction`. */
export function lifecycleForms(type: keyof typeof subjects) {
  const { noun, idOf, path } = subjects[type];
  const change =
    (action: "deactivate" | "reactivate") =>
    async ({ params, options }: FormPost) => {
      const id = params[idOf] ?? "";
      await changeLifecycle({ type, id }, action, options);
      const undoPath = action === "deactivate" ? path(id) : null;
      return { to: path(id), text: `${noun} successfully ${action}d`, undoPath };
    };
  return { deactivate: change("deactivate"), reactivate: change("reactivate") };
}
