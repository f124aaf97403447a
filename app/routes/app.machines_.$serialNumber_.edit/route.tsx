import { useLoaderData } from "@remix-run/react";
import { editMachineValidator } from "../../features/machines/manual-machine-forms";
import { renameMachine } from "../../features/machines/manual-machines.server";
import { platformKind } from "../../features/machines/platform.server";
import { getMachine } from "../../features/machines/machines.server";
import { pageMeta } from "../../forms/page-meta";
import { rerenderForm } from "../../forms/validator";
import { formAction, formLoader } from "../../http/form-action.server";
import { requireAdmin } from "../../http/guards.server";
import { machineOfAddress } from "../../http/machine-routes.server";
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import { ButtonLink } from "../../ui/form/button";
import { IdempotencyKey } from "../../ui/form/idempotency-key";
import { formCard } from "../../ui/layout/layout.css";
import { Card, FactList, Page } from "../../ui/layout/page";
import { Form, FormSubmit, TextField } from "../../ui/validated-form/form";
import { useIsConflict, VersionField } from "../../ui/validated-form/version-field";

/** A page of its own, so that the machine's page, which everybody opens, needs no scripts of forms. */
export const meta = pageMeta("Edit machine");

export const handle = { nameOf: ({ humanName }: { humanName?: string }) => humanName ?? "" };

export const loader = formLoader(requireAdmin, async ({ request }) => {
  const { serialNumber, humanName, version } = await getMachine(machineOfAddress(request));
  return { serialNumber, humanName, version, hasPlatform: (await platformKind()) !== "none" };
});

export const action = formAction({
  guard: requireAdmin,
  validator: editMachineValidator,
  async run(edit, { request, options }) {
    const serialNumber = machineOfAddress(request);
    await renameMachine(serialNumber, edit, options);
    return { to: paths.machine(serialNumber), text: "Machine successfully updated" };
  },
});

export const clientAction = rerenderForm("Error updating machine");

export default function EditMachine() {
  const { serialNumber, humanName, version, hasPlatform } = useLoaderData<typeof loader>();
  const isConflict = useIsConflict();
  return (
    <Page title={`Edit machine ${serialNumber}`}>
      {hasPlatform ? (
        <MessageBlock kind="info">
          SmartVend names the machines of this site. Change the name there.
        </MessageBlock>
      ) : (
        <Card className={formCard}>
          {isConflict && <FactList facts={[["Current name", humanName]]} />}
          <Form id="edit-machine" validator={editMachineValidator} defaultValues={{ humanName }}>
            <IdempotencyKey />
            <VersionField version={version} />
            <TextField name="humanName" label="Name" />
            <FormSubmit pendingLabel="Saving..." label="Save changes">
              <ButtonLink to={paths.machine(serialNumber)}>Cancel</ButtonLink>
            </FormSubmit>
          </Form>
        </Card>
      )}
    </Page>
  );
}
