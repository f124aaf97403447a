import { formatCodes } from "../../format/promotion";
import {
  prefillFrom,
  prefillForm,
  type FormPrefill,
} from "../promotions/form/copy-promotion.server";
import { readGenerationAssigned } from "./assign-generation.server";
import { getMassGeneration } from "./mass-generation-sql.server";

/**
 * 'Make another like this': the form 'Mass Generation', filled with the values of one.
 * @param id as it came in a URL; null where nothing is to be copied
 */
export function copyMassGeneration(id: string | null): Promise<FormPrefill | null> {
  return prefillFrom(id, "mass generation", async (generationId) => {
    const generation = await getMassGeneration(generationId);
    return prefillForm(generation, await readGenerationAssigned(generation.id), {
      id: generation.id,
      source: `the mass generation ${generation.name} (${formatCodes(generation.numCodes)})`,
      ownFields: {
        num_codes: String(generation.numCodes),
        discount_value: String(generation.discountValue),
      },
    });
  });
}
