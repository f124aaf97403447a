// Without script: the same form; a refused one comes back filled.
import type { SerializeFrom } from "@remix-run/node";
import { useNavigation } from "@remix-run/react";
import { GroupFields } from "../../features/machines/group-fields";
import type { MachineGroup } from "../../features/machines/machine-group";
import { editGroupValidator, groupIntents } from "../../features/machines/machine-groups-forms";
import { Form } from "../../ui/form/form";
import * as formStyles from "../../ui/form/form.css";
import { SubmitButton } from "../../ui/form/submit-button";
import { Card, Section } from "../../ui/layout/page";
import type { PageAnswer } from "./page.server";

type EditGroupProps = {
  group: Pick<SerializeFrom<MachineGroup>, "name" | "kind" | "version">;
  answer: SerializeFrom<PageAnswer> | undefined;
};

export function EditGroup({ group, answer }: EditGroupProps) {
  const isPending = useNavigation().formData?.get("intent") === groupIntents.save;
  return (
    <Section title="Name and kind">
      <Card>
        <Form
          id="edit-group"
          validator={editGroupValidator}
          defaultValues={{ name: group.name, kind: group.kind }}
        >
          <input type="hidden" name="version" value={answer?.version ?? group.version} />
          <GroupFields />
          <div className={formStyles.formActions}>
            <SubmitButton
              name="intent"
              value={groupIntents.save}
              variant="default"
              isPending={isPending}
              pendingLabel="Saving..."
            >
              Save changes
            </SubmitButton>
          </div>
        </Form>
      </Card>
    </Section>
  );
}
