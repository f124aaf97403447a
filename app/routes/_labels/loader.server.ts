import { json, type SerializeFrom } from "@remix-run/node";
import { siteTimeZone } from "../../db/site.server";
import { environment } from "../../env.server";
import { DomainError } from "../../errors";
import { getLabelSource } from "../../features/labels/label-source.server";
import { readGenerationAssigned } from "../../features/mass-generations/mass-generation.server";
import { noMachineYet } from "../../features/promotions/promotion-view";
import { readPromotionMachines } from "../../features/promotions/promotions.server";
import { screenLoader } from "../../http/answers.server";
import { requireEditor } from "../../http/guards.server";

export type LabelPageData = SerializeFrom<typeof loader>;

export const loader = screenLoader(requireEditor, async (args) => {
  try {
    const source = await getLabelSource(args.params);
    const site = { template: environment().qrPayload, timeZone: siteTimeZone() };
    const { searchParams } = new URL(args.request.url);
    // Loaded on demand, as the code that writes the files is.
    const { labelScreen } = await import("./screen.server");
    const readAssigned =
      source.kind === "promotion" ? readPromotionMachines : readGenerationAssigned;
    const [screen, { effective }] = await Promise.all([
      labelScreen(source, searchParams, site),
      readAssigned(source.id),
    ]);
    // Codes that no machine accepts should not be printed yet.
    const warning = effective.count === 0 ? noMachineYet(source.numCodes) : null;
    return json({ screen, warning, refusal: null, wasRefused: screen.hasErrors });
  } catch (error) {
    if (!(error instanceof DomainError) || error.reason !== "conflict") throw error;
    return json({ screen: null, warning: null, refusal: error.message }, { status: 409 });
  }
});
