// Without script: the same; a form that is not accepted comes back filled.
import { useActionData } from "@remix-run/react";
import { editMachineValidator, machineIntents } from "../../features/machines/manual-machine-forms";
import { PostButton } from "../../ui/form/post-button";
import { EditDetails } from "../../ui/validated-form/edit-details";
import { Form, FormSubmit, TextField } from "../../ui/validated-form/form";
import { VersionField } from "../../ui/validated-form/version-field";
import type { PageView } from "./page-view";

/** Marks the machine as deleted, or brings it back. */
export function DeletionButton({ isDeleted }: { isDeleted: boolean }) {
  return isDeleted ? (
    <PostButton intent={machineIntents.restore} pendingLabel="Restoring...">
      Restore
    </PostButton>
  ) : (
    <PostButton intent={machineIntents.remove} pendingLabel="Marking...">
      Mark as deleted
    </PostButton>
  );
}

const formId = "edit-machine";

/** Edits the name of a machine that no platform lists. */
export function EditMachine({ machine: { humanName, version } }: Pick<PageView, "machine">) {
  const answer = useActionData<{ formId?: string }>();
  return (
    <EditDetails label="Edit name" version={version} wasRefused={answer?.formId === formId}>
      <Form id={formId} validator={editMachineValidator} defaultValues={{ humanName }}>
        <VersionField version={version} />
        <TextField name="humanName" label="Name" />
        <FormSubmit
          name="intent"
          value={machineIntents.save}
          pendingLabel="Saving..."
          label="Save changes"
        />
      </Form>
    </EditDetails>
  );
}
