import { useLoaderData } from "@remix-run/react";
import { useMemo } from "react";
import { GenerationScreen } from "../../features/mass-generations/generation-screen";
import {
  copyPromotion,
  createPromotion,
} from "../../features/promotions/form/create-promotion.server";
import { DiscountFields, PromotionForm } from "../../features/promotions/form/promotion-form";
import { singleFormValidator } from "../../features/promotions/form/promotion-forms";
import { formMeta } from "../../forms/form-meta";
import { keepForm } from "../../forms/validator";
import { loadPromotionForm, promotionFormAction } from "../../http/promotion-form.server";
import { screenLoader } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { paths } from "../../paths";
import { TextField } from "../../ui/form/form";

export const meta = formMeta("QR Generation");

export const loader = screenLoader(requireUser, async (args) => {
  const copy = await copyPromotion(new URL(args.request.url).searchParams.get("from"));
  return { copy, ...(await loadPromotionForm(args, copy)) };
});

export const action = promotionFormAction({
  validator: singleFormValidator,
  async create(input, options) {
    await createPromotion(input, options);
    return { to: paths.qrList, text: "Promotion created successfully" };
  },
});

export const clientAction = keepForm("Error creating promotion");

export default function QrGeneration() {
  const { today, expiryExample, pickers, idempotencyKey, copy } = useLoaderData<typeof loader>();
  const validator = useMemo(() => singleFormValidator(today), [today]);
  return (
    <GenerationScreen copy={copy}>
      <PromotionForm
        key={copy?.id}
        id="single-qr-code"
        title="Single QR Code"
        validator={validator}
        values={copy?.values ?? null}
        pickers={pickers}
        idempotencyKey={idempotencyKey}
        button={{ label: "Create promotion", pendingLabel: "Creating..." }}
      >
        <TextField name="promotionName" label="Name" hint="Shown in the list and on labels." />
        <DiscountFields discountName="discount" expiryExample={expiryExample} />
      </PromotionForm>
    </GenerationScreen>
  );
}
