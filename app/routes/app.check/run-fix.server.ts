/** Does what a button of a check posts, and checks the code again. */
import { addTargets, changeAssignments } from "../../features/assignments/assignments.server";
import { generationOwner } from "../../features/mass-generations/mass-generation.server";
import { replacePromotion } from "../../features/promotions/form/replace-promotion.server";
import { changeLifecycle } from "../../features/promotions/lifecycle/promotion-lifecycle.server";
import { promotionOwner } from "../../features/promotions/promotions.server";
import { formatCode } from "../../format/promotion";
import type { Attempt, FormPost } from "../../http/form-action.server";
import { paths } from "../../paths";
import type { FixIntent } from "./fixes.server";

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
    await changeLifecycle({ type, id: post.field("id") }, "reactivate", post.options);
    return { to: sameCheck(post), text: "Reactivated" };
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
