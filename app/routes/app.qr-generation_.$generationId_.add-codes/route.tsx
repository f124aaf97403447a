// Without script: a plain form.
import { useLoaderData } from "@remix-run/react";
import { useMemo } from "react";
import { addCodes, whyNoMoreCodes } from "../../features/mass-generations/add-codes.server";
import { addCodesValidator } from "../../features/mass-generations/add-codes-forms";
import { getMassGeneration } from "../../features/mass-generations/mass-generation.server";
import { settings } from "../../features/settings/settings.server";
import { pageMeta } from "../../forms/page-meta";
import { rerenderForm } from "../../forms/validator";
import { formatNumber } from "../../format/number";
import { formatCodes } from "../../format/promotion";
import { formAction, formLoader } from "../../http/form-action.server";
import { requireEditor } from "../../http/guards.server";
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import { ButtonLink } from "../../ui/form/button";
import { IdempotencyKey } from "../../ui/form/idempotency-key";
import { formCard } from "../../ui/layout/layout.css";
import { Card, Page } from "../../ui/layout/page";
import { Form, FormSubmit, TextField } from "../../ui/validated-form/form";

export const meta = pageMeta("Add codes");

export const handle = { nameOf: ({ name }: { name: string }) => name };

export const loader = formLoader(requireEditor, async ({ params }) => {
  const generation = await getMassGeneration(params.generationId!);
  const { id, name, numCodes } = generation;
  return {
    id,
    name,
    refusal: whyNoMoreCodes(generation),
    codes: formatCodes(numCodes),
    max: settings().maxCodes - numCodes,
  };
});

export const action = formAction({
  guard: requireEditor,
  validator: addCodesValidator(Infinity),
  async run({ num_codes }, { params, options }) {
    const { id } = await addCodes(params.generationId!, num_codes, options);
    return { to: paths.generation(id), text: `${formatCodes(num_codes)} added` };
  },
});

export const clientAction = rerenderForm("Error adding codes");

/** A page of its own, so that the campaign's page needs no more of forms. */
export default function AddCodes() {
  const { id, name, codes, max, refusal } = useLoaderData<typeof loader>();
  const validator = useMemo(() => addCodesValidator(max), [max]);
  return (
    <Page title={`Add codes: ${name}`}>
      {refusal ? (
        <MessageBlock
          kind="warning"
          action={<ButtonLink to={paths.generation(id)}>Show campaign</ButtonLink>}
        >
          {refusal}
        </MessageBlock>
      ) : (
        <Card className={formCard}>
          <Form id="add-codes" validator={validator}>
            <IdempotencyKey />
            <TextField
              name="num_codes"
              label="Number of codes"
              hint={`Required. 1 to ${formatNumber(max)}, in addition to the ${codes} it has. They get the same terms, machines and groups.`}
              width="short"
              inputMode="numeric"
            />
            <FormSubmit pendingLabel="Adding..." label="Add codes">
              <ButtonLink to={paths.generation(id)}>Cancel</ButtonLink>
            </FormSubmit>
          </Form>
        </Card>
      )}
    </Page>
  );
}
