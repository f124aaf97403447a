// Without script: the same; a form that is not accepted comes back filled.
import type { SerializeFrom } from "@remix-run/node";
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
import { MaskedNote, useCanEdit } from "../../features/sign-in/viewer";
import { countOf, formatNumber } from "../../format/number";
import { formatCodes } from "../../format/promotion";
import { paths } from "../../paths";
import { IdempotencyKey } from "../../ui/form/idempotency-key";
import { useLastMessage } from "../../ui/form/last-message";
import { EditDetails } from "../../ui/validated-form/edit-details";
import { Form, FormSubmit } from "../../ui/validated-form/form";
import { VersionField } from "../../ui/validated-form/version-field";
import { parts } from "../../ui/layout/layout.css";
import { CardSection } from "../../ui/layout/detail";
import { FactList } from "../../ui/layout/page";
import { muted } from "#styles/global.css";
import * as css from "./group-page.css";

const formId = "edit-group";

type GroupProps = { group: SerializeFrom<MachineGroup & { assigned: GroupUse }> };

export function GroupFacts({ group }: GroupProps) {
  const { live, deleted } = group.machines;
  const deletedNote =
    deleted > 0
      ? `, and ${formatNumber(deleted)} that ${deleted === 1 ? "is" : "are"} marked as deleted`
      : "";
  return (
    <>
      <FactList
        facts={[
          ["Kind", groupKindLabels[group.kind]],
          ["Machines", countOf(live, "machine") + deletedNote],
        ]}
      />
      {useCanEdit() && <EditGroup group={group} />}
    </>
  );
}

/** The newest of what the group is assigned to. */
export function AssignedTo({
  group: { assigned },
  assignments,
}: GroupProps & { assignments: GroupAssignments }) {
  const { promotions, generations } = assignments;
  return (
    <CardSection title="Assigned to" note={describeAssignments(assigned)}>
      {assigned.promotions + assigned.generations === 0 ? (
        <p className={muted}>
          Nothing yet. Assign the group when you create codes, or with Machines on the page of a
          code or a campaign.
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
          {promotions.length > 0 && <MaskedNote />}
          <Newest title="Single codes" total={assigned.promotions}>
            {promotions.map(({ id, name, code }) => (
              <li key={id}>
                <a href={paths.promotion(id)}>{name}</a> <code>{code}</code>
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

function EditGroup({ group }: GroupProps) {
  return (
    <EditDetails label="Edit name or kind" formId={formId} version={group.version}>
      <Form
        id={formId}
        validator={editGroupValidator}
        defaultValues={{ name: group.name, kind: group.kind }}
        preventScrollReset
      >
        <IdempotencyKey key={useLastMessage()} suffix={formId} />
        <VersionField version={group.version} />
        <GroupFields />
        <FormSubmit
          name="intent"
          value={groupIntents.save}
          pendingLabel="Saving..."
          label="Save changes"
        />
      </Form>
    </EditDetails>
  );
}
