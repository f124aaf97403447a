// Without script: the same form; a refused one comes back filled, but for the password.
import { useActionData, useNavigation } from "@remix-run/react";
import { useFormContext } from "remix-validated-form";
import { keyDays, keyValidator } from "../../features/integrations/integration";
import { SerialSuggestions } from "../../features/machines/serial-suggestions";
import { paths } from "../../paths";
import { RadioGroup } from "../../ui/form/choice-fields";
import { labelNote, formActions } from "../../ui/form/form.css";
import { Form, IdempotencyKey } from "../../ui/form/form";
import { SubmitButton } from "../../ui/form/submit-button";
import { TextField } from "../../ui/form/text-field";
import { Card, Section } from "../../ui/layout/page";
import type { IntegrationPageData } from "./page.server";

type KeyFormProps = {
  page: Pick<IntegrationPageData, "id" | "machines" | "needsPassword" | "idempotencyKey">;
};

export function KeyForm({ page }: KeyFormProps) {
  const { id, machines, needsPassword, idempotencyKey } = page;
  const answer = useActionData<{ secret?: string; fieldErrors?: Record<string, string> }>();
  // The ten minutes may have passed while the form was open.
  const asksPassword = needsPassword || answer?.fieldErrors?.password !== undefined;
  return (
    <Section title="New key">
      <Card>
        {/* After a key was made it is empty again. */}
        <Form
          key={answer?.secret ?? ""}
          id="new-key"
          validator={keyValidator}
          defaultValues={{ days: "90" }}
        >
          <IdempotencyKey value={idempotencyKey} />
          <TextField
            name="machine"
            label={
              <>
                Machine <span className={labelNote}>optional</span>
              </>
            }
            hint="The serial number of the one machine that it may be used for. Left empty, it is good for all."
            list={machines.length > 0 ? "machines" : undefined}
          />
          <SerialSuggestions id="machines" machines={machines} />
          <RadioGroup
            name="days"
            legend="Valid for"
            options={Object.entries(keyDays).map(([value, label]) => ({ value, label }))}
          />
          {asksPassword && (
            <TextField
              name="password"
              type="password"
              label="Your password"
              hint="It was checked more than 10 minutes ago."
              autoComplete="current-password"
              width="medium"
            />
          )}
          <div className={formActions}>
            <CreateButton action={paths.integration(id)} />
          </div>
        </Form>
      </Card>
    </Section>
  );
}

function CreateButton({ action }: { action: string }) {
  const { isSubmitting } = useFormContext();
  const { state, formAction } = useNavigation();
  const isPending = state !== "idle" && formAction?.split("?")[0] === action;
  return (
    <SubmitButton isPending={isPending || isSubmitting} pendingLabel="Creating...">
      Create key
    </SubmitButton>
  );
}
