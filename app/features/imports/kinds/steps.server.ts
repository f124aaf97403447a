import type { ImportKind } from "../import-kinds";
import type { ImportSteps } from "../import-steps.server";
import { assignmentSteps } from "./assignments.server";
import { codeSteps } from "./codes.server";
import { groupSteps } from "./groups.server";
import { machineSteps } from "./machines.server";

export const importSteps: Record<ImportKind, ImportSteps> = {
  codes: codeSteps,
  machines: machineSteps,
  groups: groupSteps,
  assignments: assignmentSteps,
};
