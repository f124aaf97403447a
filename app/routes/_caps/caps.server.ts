import { noCaps } from "../../features/caps/cap";
import { capsValidator, toCapsInput } from "../../features/caps/cap-forms";
import { capsToTexts, editCaps } from "../../features/caps/caps.server";
import { getMassGeneration } from "../../features/mass-generations/mass-generation.server";
import { getPromotionDetails } from "../../features/promotions/promotions.server";
import { notFound } from "../../errors";
import { formAction, formLoader } from "../../http/form-action.server";
import { requireEditor } from "../../http/guards.server";
import { paths } from "../../paths";

type Params = { promotionId?: string; generationId?: string };

/** @throws DomainError not_found, also for a code of a mass generation, which has the generation's caps */
async function readCampaign({ promotionId, generationId = "" }: Params) {
  if (promotionId === undefined) {
    const { id, name, version, caps } = await getMassGeneration(generationId);
    const campaign = { type: "mass_generation", id } as const;
    return { campaign, page: paths.generation(id), name, version, caps };
  }
  const { promotion, version } = await getPromotionDetails(promotionId);
  const { id, name, caps, massGenerationId } = promotion;
  if (massGenerationId !== null) throw notFound("This code has the caps of its campaign.");
  const campaign = { type: "promotion", id } as const;
  return { campaign, page: paths.promotion(id), name, version, caps };
}

export const loader = formLoader(requireEditor, async ({ params }) => {
  const { page, name, version, caps } = await readCampaign(params);
  const current = capsToTexts(caps ?? noCaps).join(", ") || "None";
  return { page, name, version, current, values: toCapsInput(caps ?? noCaps) };
});

export const action = formAction({
  guard: requireEditor,
  validator: capsValidator,
  async run({ version, ...caps }, { params, options }) {
    const { campaign, page } = await readCampaign(params);
    await editCaps(campaign, caps, version, options);
    return { to: page, text: "Caps successfully updated" };
  },
});
