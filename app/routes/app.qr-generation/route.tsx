import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData, type ClientActionFunctionArgs } from "@remix-run/react";
import { useMemo } from "react";
import { GenerationScreen } from "../../features/mass-generations/generation-screen";
import { copyPromotion } from "../../features/promotions/form/copy-promotion.server";
import { createPromotion } from "../../features/promotions/form/create-promotion.server";
import {
  PromotionForm,
  keepFormOnNetworkError,
} from "../../features/promotions/form/promotion-form";
import { DiscountFields } from "../../features/promotions/form/discount-fields";
import { singleFormValidator } from "../../features/promotions/form/single-form";
import { handlePromotionForm, loadPromotionForm } from "../../http/promotion-form.server";
import { requireUser } from "../../http/guards.server";
import { paths } from "../../paths";
import { TextField } from "../../ui/form/text-field";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.wasRefused ? "Error: " : ""}QR Generation - Promo Console` },
];

export async function loader(args: LoaderFunctionArgs) {
  await requireUser(args);
  const copy = await copyPromotion(new URL(args.request.url).searchParams.get("from"));
  return { copy, ...(await loadPromotionForm(args, copy)) };
}

export async function action(args: ActionFunctionArgs) {
  const session = await requireUser(args, { canRestore: true });
  return handlePromotionForm(args, session, {
    validator: singleFormValidator,
    async create(input, options) {
      await createPromotion(input, options);
      return { to: paths.qrList, text: "Promotion created successfully" };
    },
  });
}

export async function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const args = { request, serverAction: () => serverAction<typeof action>() };
  return keepFormOnNetworkError(args, "Error creating promotion");
}

export default function QrGeneration() {
  const { today, expiryExample, pickers, once, copy } = useLoaderData<typeof loader>();
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
        once={once}
        button={{ label: "Create promotion", pendingLabel: "Creating..." }}
      >
        <TextField name="promotionName" label="Name" hint="Shown in the list and on labels." />
        <DiscountFields discountName="discount" expiryExample={expiryExample} />
      </PromotionForm>
    </GenerationScreen>
  );
}
