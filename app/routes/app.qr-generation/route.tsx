import { useActionData, useLoaderData } from "@remix-run/react";
import { useMemo } from "react";
import { GenerationScreen } from "../../features/mass-generations/generation-screen";
import {
  copyPromotion,
  createPromotion,
} from "../../features/promotions/form/create-promotion.server";
import { DiscountFields, PromotionForm } from "../../features/promotions/form/promotion-form";
import { noToday, singleFormValidator } from "../../features/promotions/form/promotion-forms";
import { withParsedTerms } from "../../features/promotions/form/terms-input.server";
import { pageMeta } from "../../forms/page-meta";
import { rerenderForm } from "../../forms/validator";
import { loadPromotionForm, promotionFormAction } from "../../http/promotion-form.server";
import { formLoader } from "../../http/form-action.server";
import { requireEditor } from "../../http/guards.server";
import { paths } from "../../paths";
import { TextField } from "../../ui/validated-form/form";

export const meta = pageMeta();

export const loader = formLoader(requireEditor, (args) => loadPromotionForm(args, copyPromotion));

const form = {
  id: "single-qr-code",
  title: "Single QR Code",
  button: { label: "Create code", pendingLabel: "Creating..." },
  otherForm: paths.massGeneration,
};

export const action = promotionFormAction({
  formId: form.id,
  validator: singleFormValidator,
  unboundValidator: singleFormValidator(noToday),
  async create(input, options) {
    const { promotion } = await createPromotion(withParsedTerms(input), options);
    return { to: paths.promotion(promotion.id), text: "Promotion created successfully" };
  },
});

export const clientAction = rerenderForm("Error creating promotion");

export default function QrGeneration() {
  const page = useLoaderData<typeof loader>();
  const { today, copy } = page;
  const validator = useMemo(() => singleFormValidator(today), [today]);
  return (
    <GenerationScreen copy={copy}>
      <PromotionForm {...form} page={page} validator={validator}>
        <TextField
          name="promotionName"
          label="Name"
          hint="Required. Shown in the list and on labels."
        />
        <DiscountFields today={today} />
        <NumberOfCodes />
      </PromotionForm>
    </GenerationScreen>
  );
}

/** Keeps what was entered in the other form's field that this one has no use for. */
function NumberOfCodes() {
  const answer = useActionData<{ repopulateFields?: Record<string, string> }>();
  const numCodes = answer?.repopulateFields?.num_codes;
  return numCodes ? <input type="hidden" name="num_codes" value={numCodes} /> : null;
}
