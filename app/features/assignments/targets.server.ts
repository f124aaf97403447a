import { listAssignableMachines } from "../machines/list-machines.server";
import { listGroupChoices } from "../machines/machine-groups.server";
import { groupTarget, machineTarget, type Target, type TargetKind } from "./targets";

const sources: Record<TargetKind, () => Promise<Target[]>> = {
  machine: async () => (await listAssignableMachines()).map(machineTarget),
  group: async () => (await listGroupChoices()).map(groupTarget),
};

export type TargetsByKind = Partial<Record<TargetKind, Target[]>>;

/** Lists everything that a code can be assigned to: machines by serial number, the rest by name. */
export async function listAssignableTargets(
  kinds: readonly TargetKind[] = Object.keys(sources) as TargetKind[],
): Promise<TargetsByKind> {
  const lists = await Promise.all(
    kinds.map(async (kind) => [kind, await sources[kind]()] as const),
  );
  return Object.fromEntries(lists);
}
