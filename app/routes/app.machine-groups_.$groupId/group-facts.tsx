// Without script: the same.
import type { SerializeFrom } from "@remix-run/node";
import { describeAssignments } from "../../features/machines/group-view";
import {
  groupKindLabels,
  type GroupUse,
  type MachineGroup,
} from "../../features/machines/machine-group";
import { toMachinesView } from "../../features/machines/machine-view";
import { formatNumber } from "../../format/number";
import { facts } from "../../ui/layout/layout.css";
import { Card, Fact } from "../../ui/layout/page";

export function GroupFacts({
  group,
}: {
  group: SerializeFrom<MachineGroup & { assigned: GroupUse }>;
}) {
  const { live, deleted } = group.machines;
  return (
    <Card>
      <dl className={facts}>
        <Fact name="Kind">{groupKindLabels[group.kind]}</Fact>
        <Fact name="Machines">
          {toMachinesView(live)}
          {deleted > 0 &&
            `, and ${formatNumber(deleted)} that ${deleted === 1 ? "is" : "are"} deleted from SmartVend`}
        </Fact>
        <Fact name="Assigned to">{describeAssignments(group.assigned) ?? "Nothing yet"}</Fact>
      </dl>
    </Card>
  );
}
