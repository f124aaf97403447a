import * as z from "zod/mini";
import {
  addTargets,
  changeAssignments,
  removeAll,
  removeTarget,
  type AssignmentChange,
} from "../../features/assignments/assignments.server";
import { listMachineGroups } from "../../features/machines/machine-groups.server";
import {
  addMachinesBody,
  getMachine,
  listAllMachines,
} from "../../features/machines/machines.server";
import {
  listMachinePromotions,
  parseMachinePromotionsQuery,
  toApiMachinePromotions,
} from "../../features/promotions/manage-machines/machine-promotions.server";
import { listPromotionMachines, promotionOwner } from "../../features/promotions/promotions.server";
import { operation, type ApiCall, type Operation } from "../api.server";
import { machinesOfParam } from "../machine-routes.server";
import { groupSchema, machineAnswer, machinePromotionsSchema } from "./schemas";

const promotionPath = "/api/promotion/{promotionId}";
const machinesOfPromotion = {
  answers: {
    200: "Machines that the code is assigned to, with those of its groups; deleted ones are marked.",
  },
  result: z.array(machineAnswer.schema),
};

async function readMachines(promotionId: string) {
  return (await listPromotionMachines(promotionId)).map(machineAnswer.of);
}

/** Declares a call that changes what a promotion is assigned to, and answers with its machines after that. */
function assignment<Body = undefined>(
  call: Pick<Operation<Body, undefined, "machines">, "method" | "path" | "summary" | "body">,
  toChange: (call: ApiCall<Body, undefined>) => AssignmentChange | Promise<AssignmentChange>,
) {
  return operation<Body, undefined, "machines">({
    ...call,
    ...machinesOfPromotion,
    path: promotionPath + call.path,
    scope: "machines",
    async run({ actor, ...call }) {
      const id = call.param("promotionId");
      await changeAssignments(promotionOwner(id), await toChange(call), { actor });
      return readMachines(id);
    },
  });
}

const groupsMessage = "Groups must be a list of ids";
const addGroupsBody = z.strictObject({
  groups: z
    .array(z.union([z.string(), z.int(groupsMessage)], groupsMessage), groupsMessage)
    .check(z.minLength(1, "Choose at least one group.")),
});

export const machineOperations = [
  operation({
    ...machinesOfPromotion,
    method: "GET",
    path: `${promotionPath}/machines`,
    summary: "List the machines of a code",
    scope: "read",
    run: ({ param }) => readMachines(param("promotionId")),
  }),
  assignment(
    { method: "DELETE", path: "/machines", summary: "Unassign all machines and groups" },
    () => removeAll,
  ),
  assignment(
    { method: "DELETE", path: "/machines/{serialNumber}", summary: "Unassign a machine" },
    async ({ param }) => {
      const { serialNumber } = await getMachine(...machinesOfParam(param("serialNumber")));
      return removeTarget({ kind: "machine", id: serialNumber });
    },
  ),
  assignment(
    { method: "POST", path: "/add-machines", summary: "Assign machines", body: addMachinesBody },
    ({ body }) => addTargets({ machines: body.machines.map(({ serialNumber }) => serialNumber) }),
  ),
  assignment(
    { method: "POST", path: "/add-groups", summary: "Assign machine groups", body: addGroupsBody },
    ({ body }) => addTargets({ groups: body.groups.map(String) }),
  ),
  assignment(
    { method: "DELETE", path: "/groups/{groupId}", summary: "Unassign a machine group" },
    ({ param }) => removeTarget({ kind: "group", id: param("groupId") }),
  ),
  operation({
    method: "GET",
    path: "/api/machines-list",
    summary: "List machines",
    scope: "read",
    answers: { 200: "Every machine that the platform lists, without the deleted ones." },
    result: z.array(machineAnswer.schema),
    run: async () => (await listAllMachines()).map(machineAnswer.of),
  }),
  operation({
    method: "GET",
    path: "/api/machine/{serialNumber}/promotions",
    summary: "List the campaigns of a machine",
    scope: "read",
    query: parseMachinePromotionsQuery,
    answers: {
      200: "Campaigns with active codes that the machine accepts, with the number of these codes.",
    },
    result: machinePromotionsSchema,
    queryParams: {
      page: "From 1 to 1,000,000; a page after the last one is empty.",
      per_page: "At most 100.",
    },
    async run({ param, query }) {
      const machine = await getMachine(...machinesOfParam(param("serialNumber")));
      return toApiMachinePromotions(await listMachinePromotions(machine.id, query), query.page);
    },
  }),
  operation({
    method: "GET",
    path: "/api/machine-groups",
    summary: "List machine groups",
    scope: "read",
    answers: { 200: "Every machine group, with the number of its machines." },
    result: z.array(groupSchema),
    async run() {
      const { groups } = await listMachineGroups({ page: 1, perPage: 10_000 });
      return groups.map(({ id, name, kind, machines }) => ({
        id: Number(id),
        name,
        kind,
        machines: machines.live,
      }));
    },
  }),
];
