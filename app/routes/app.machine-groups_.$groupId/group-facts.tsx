// Without script: the same.
import type { SerializeFrom } from "@remix-run/node";
import { assignmentWords } from "../../features/machines/group-words";
import { groupKindWords, type MachineGroup } from "../../features/machines/machine-group";
import { machinesWords } from "../../features/machines/machine-words";
import { formatNumber } from "../../format/number";
import { facts } from "../../ui/layout/layout.css";
import { Card, Fact } from "../../ui/layout/page";

export function GroupFacts({ group }: { group: SerializeFrom<MachineGroup> }) {
  const { live, deleted } = group.machines;
  return (
    <Card>
      <dl className={facts}>
        <Fact name="Kind">{groupKindWords[group.kind]}</Fact>
        <Fact name="Machines">
          {machinesWords(live)}
          {deleted > 0 &&
            `, and ${formatNumber(deleted)} that ${deleted === 1 ? "is" : "are"} deleted from SmartVend`}
        </Fact>
        <Fact name="Assigned to">{assignmentWords(group.assigned) ?? "Nothing yet"}</Fact>
      </dl>
    </Card>
  );
}
