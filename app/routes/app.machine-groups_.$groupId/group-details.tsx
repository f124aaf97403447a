// Without script: the same; a form that is not accepted comes back filled.
import type { SerializeFrom } from "@remix-run/node";
import { useNavigation } from "@remix-run/react";
import type { ReactNode } from "react";
import type { GroupAssignments } from "../../features/assignments/group-assignments.server";
import { GroupFields } from "../../features/machines/group-fields";
import {
  describeAssignments,
  groupKindLabels,
  type GroupUse,
  type MachineGroup,
} from "../../features/machines/machine-group";
import { editGroupValidator, groupIntents } from "../../features/machines/machine-groups-forms";
import { countOf, formatNumber } from "../../format/number";
import { formatCode, formatCodes } from "../../format/promotion";
import { paths } from "../../paths";
import { Form, FormSubmit } from "../../ui/form/form";
import { parts } from "../../ui/layout/layout.css";
import { CardSection } from "../../ui/layout/detail";
import { Card, FactList } from "../../ui/layout/page";
import { muted } from "#styles/global.css";
import * as css from "./group-page.css";
import type { PageAnswer } from "./page.server";

type GroupProps = { group: SerializeFrom<MachineGroup & { assigned: GroupUse }> };

export function GroupFacts({ group }: GroupProps) {
  const { live, deleted } = group.machines;
  const deletedNote =
    deleted > 0
      ? `, and ${formatNumber(deleted)} that ${deleted === 1 ? "is" : "are"} deleted from SmartVend`
      : "";
  return (
    <Card>
      <FactList
        facts={[
          ["Kind", groupKindLabels[group.kind]],
          ["Machines", countOf(live, "machine") + deletedNote],
          ["Assigned to", describeAssignments(group.assigned) ?? "Nothing yet"],
        ]}
      />
    </Card>
  );
}

/** The newest of what the group is assigned to. */
export function AssignedTo({
  group: { assigned },
  assignments,
}: GroupProps & { assignments: GroupAssignments }) {
  const { promotions, generations } = assignments;
  return (
    <CardSection title="Assigned to">
      {assigned.promotions + assigned.generations === 0 ? (
        <p className={muted}>
          Nothing yet. Assign the group when you create a promotion or a mass generation, or with
          Machines on its page.
        </p>
      ) : (
        <div className={parts}>
          <Newest title="Mass generations" total={assigned.generations}>
            {generations.map(({ id, name, numCodes }) => (
              <li key={id}>
                <a href={paths.generation(id)}>{name}</a>{" "}
                <span className={muted}>{formatCodes(numCodes)}</span>
              </li>
            ))}
          </Newest>
          <Newest title="Promotions" total={assigned.promotions}>
            {promotions.map(({ id, name, code }) => (
              <li key={id}>
                <a href={paths.promotion(id)}>{name}</a> <code>{formatCode(code)}</code>
              </li>
            ))}
          </Newest>
        </div>
      )}
    </CardSection>
  );
}

type NewestProps = { title: string; total: number; children: ReactNode[] };

function Newest({ title, total, children }: NewestProps) {
  if (total === 0) return null;
  const more = total - children.length;
  return (
    <div>
      <h3>
        {title} ({formatNumber(total)})
      </h3>
      <ul className={css.list}>
        {children}
        {more > 0 && <li className={muted}>and {formatNumber(more)} more</li>}
      </ul>
    </div>
  );
}

export function EditGroup({
  group,
  answer,
}: GroupProps & { answer: SerializeFrom<PageAnswer> | undefined }) {
  const isPending = useNavigation().formData?.get("intent") === groupIntents.save;
  return (
    <CardSection title="Name and kind">
      <Form
        id="edit-group"
        validator={editGroupValidator}
        defaultValues={{ name: group.name, kind: group.kind }}
      >
        <input type="hidden" name="version" value={answer?.version ?? group.version} />
        <GroupFields />
        <FormSubmit
          name="intent"
          value={groupIntents.save}
          variant="default"
          isPending={isPending}
          pendingLabel="Saving..."
          label="Save changes"
        />
      </Form>
    </CardSection>
  );
}
