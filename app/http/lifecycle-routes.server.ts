/** Confirmations of deleting and restoring a promotion or a mass generation. */
import { siteTimeZone } from "../db/site.server";
import { getMassGeneration } from "../features/mass-generations/mass-generation.server";
import { changeLifecycle } from "../features/promotions/lifecycle/promotion-lifecycle.server";
import {
  askDeletion,
  askGenerationDeletion,
  askGenerationRestoring,
  askRestoring,
  describeOutcome,
  lifecycleNoun,
} from "../features/promotions/lifecycle/questions";
import { listAddress } from "../features/promotions/list/promotion-filters";
import { toPromotionView } from "../features/promotions/promotion-view";
import { getPromotion } from "../features/promotions/promotions.server";
import { paths } from "../paths";
import { confirmRoute } from "./confirm-route.server";
import { requireAdmin, requireEditor } from "./guards.server";
import type { RouteArgs } from "./sessions.server";

const changes = {
  delete: {
    guard: requireEditor,
    askPromotion: askDeletion,
    askGeneration: askGenerationDeletion,
    done: "deleted",
  },
  restore: {
    guard: requireAdmin,
    askPromotion: askRestoring,
    askGeneration: askGenerationRestoring,
    done: "restored",
  },
};

/** Builds the loader and action of a dialog over the list. */
export function confirmPromotion(action: keyof typeof changes) {
  const { guard, askPromotion, done } = changes[action];
  const read = ({ params }: RouteArgs) => getPromotion(params.promotionId ?? "");
  return confirmRoute({
    guard,
    ask: async (args, { user }) =>
      askPromotion(toPromotionView(await read(args), siteTimeZone(), user)),
    async run({ options, ...args }) {
      const promotion = await read(args);
      const subject = { type: "promotion", id: promotion.id } as const;
      const outcome = await changeLifecycle(subject, action, options);
      const to = listAddress(args.request.url);
      return { to, ...describeOutcome(lifecycleNoun(promotion), { done }, outcome) };
    },
  });
}

/** Builds the loader and action of a dialog over the page of a mass generation. */
export function confirmGeneration(action: keyof typeof changes) {
  const { guard, askGeneration, done } = changes[action];
  return confirmRoute({
    guard,
    ask: async ({ params }) => askGeneration(await getMassGeneration(params.generationId ?? "")),
    async run({ params: { generationId = "" }, options }) {
      const subject = { type: "mass_generation", id: generationId } as const;
      const outcome = await changeLifecycle(subject, action, options);
      return {
        to: paths.generation(generationId),
        ...describeOutcome("campaign", { done }, outcome),
      };
    },
  });
}
