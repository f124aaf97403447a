import { GroupFields } from "../../features/machines/group-fields";
import { createMachineGroup } from "../../features/machines/machine-groups.server";
import { newGroupValidator } from "../../features/machines/machine-groups-forms";
import { pageMeta } from "../../forms/page-meta";
import { rerenderForm } from "../../forms/validator";
import { formAction, formLoader } from "../../http/form-action.server";
import { requireEditor } from "../../http/guards.server";
import { paths } from "../../paths";
import { ButtonLink } from "../../ui/form/button";
import { Form, FormSubmit } from "../../ui/validated-form/form";
import { IdempotencyKey } from "../../ui/form/idempotency-key";
import { hint } from "../../ui/form/form.css";
import { formCard } from "../../ui/layout/layout.css";
import { Card, Page } from "../../ui/layout/page";

export const meta = pageMeta();

export const loader = formLoader(requireEditor, async () => ({}));

export const action = formAction({
  guard: requireEditor,
  validator: newGroupValidator,
  async run(group, { options }) {
    const { id } = await createMachineGroup(group, options);
    return {
      to: `${paths.machineGroup(id)}?add=paste`,
      text: "Machine group successfully created",
    };
  },
});

export const clientAction = rerenderForm("Error creating machine group");

export default function NewGroup() {
  return (
    <Page title="New group">
      <Card className={formCard}>
        <Form id="new-group" validator={newGroupValidator} defaultValues={{ kind: "site" }}>
          <IdempotencyKey />
          <GroupFields />
          <p className={hint}>You add its machines on the next page.</p>
          <FormSubmit pendingLabel="Creating..." label="Create group">
            <ButtonLink to={paths.machineGroups}>Cancel</ButtonLink>
          </FormSubmit>
        </Form>
      </Card>
    </Page>
  );
}
