import { useLoaderData } from "@remix-run/react";
import { useMemo } from "react";
import { settings } from "../../features/settings/settings.server";
import { copyMassGeneration } from "../../features/mass-generations/mass-generation.server";
import { createMassGeneration } from "../../features/mass-generations/create-mass-generation.server";
import { GenerationScreen } from "../../features/mass-generations/generation-screen";
import { nameAndNumber } from "../../features/promotions/form/promotion-form.css";
import { massFormValidator, noBounds } from "../../features/mass-generations/mass-generation-forms";
import { DiscountFields, PromotionForm } from "../../features/promotions/form/promotion-form";
import { formatNumber } from "../../format/number";
import { withParsedTerms } from "../../features/promotions/form/terms-input.server";
import { pageMeta } from "../../forms/page-meta";
import { rerenderForm } from "../../forms/validator";
import { loadPromotionForm, promotionFormAction } from "../../http/promotion-form.server";
import { formLoader } from "../../http/form-action.server";
import { requireEditor } from "../../http/guards.server";
import { paths } from "../../paths";
import { TextField } from "../../ui/validated-form/form";

export const meta = pageMeta();

export const loader = formLoader(requireEditor, async (args) => ({
  ...(await loadPromotionForm(args, copyMassGeneration)),
  maxCodes: settings().maxCodes,
}));

const form = {
  id: "mass-generation",
  title: "Mass Generation",
  button: { label: "Generate codes", pendingLabel: "Generating..." },
  otherForm: paths.qrGeneration,
};

export const action = promotionFormAction({
  formId: form.id,
  validator: (today) => massFormValidator({ today, maxCodes: settings().maxCodes }),
  unboundValidator: massFormValidator(noBounds),
  async create(input, options) {
    const { id } = await createMassGeneration(withParsedTerms(input), options);
    // Codes that no machine accepts are not printed at once.
    const isAssigned = input.machines.length + input.groups.length > 0;
    const to = isAssigned ? paths.newGeneration(id) : paths.generation(id);
    return { to, text: "QR codes generated successfully" };
  },
});

export const clientAction = rerenderForm("Error generating QR codes");

export default function MassGenerationForm() {
  const page = useLoaderData<typeof loader>();
  const { today, maxCodes, copy } = page;
  const validator = useMemo(() => massFormValidator({ today, maxCodes }), [today, maxCodes]);
  return (
    <GenerationScreen copy={copy}>
      <PromotionForm {...form} page={page} validator={validator}>
        <div className={nameAndNumber}>
          <TextField name="name" label="Name" hint="Required. Also on labels." />
          <TextField
            name="num_codes"
            label="Number of codes"
            hint={`Required. 1 to ${formatNumber(maxCodes)}.`}
            width="short"
            inputMode="numeric"
          />
        </div>
        <DiscountFields isMass today={today} />
      </PromotionForm>
    </GenerationScreen>
  );
}
