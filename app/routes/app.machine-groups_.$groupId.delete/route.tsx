import {
  json,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import {
  useActionData,
  useLoaderData,
  useLocation,
  type ClientActionFunctionArgs,
} from "@remix-run/react";
import {
  deleteMachineGroup,
  previewGroupDeletion,
} from "../../features/machines/delete-machine-group.server";
import { getMachineGroup } from "../../features/machines/machine-groups.server";
import { toMachinesView } from "../../features/machines/machine-view";
import { failureOf } from "../../forms/network-errors";
import { screenRoute } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { redirectWithMessage } from "../../http/messages.server";
import { paths } from "../../paths";
import { ConfirmDialog } from "../../ui/overlay/confirm-dialog";
import { consequences } from "./consequences";

export const meta: MetaFunction = () => [
  { title: "Confirm deletion of machine group - Machine Groups - Promo Console" },
];

export const loader = screenRoute(async (args: LoaderFunctionArgs) => {
  await requireUser(args);
  const { id, name, machines } = await getMachineGroup(args.params.groupId ?? "");
  const unassigned = await previewGroupDeletion(id);
  return json({
    id,
    name,
    machines: toMachinesView(machines.live + machines.deleted),
    consequences: consequences(unassigned),
  });
});

export const action = screenRoute(async (args: ActionFunctionArgs) => {
  const session = await requireUser(args);
  await deleteMachineGroup(args.params.groupId ?? "", { actor: session.actor });
  const text = "Machine group successfully deleted";
  return redirectWithMessage(session, paths.machineGroups, { kind: "success", text });
});

/** With scripts the dialog outlives a request that gets no answer. */
export function clientAction({ serverAction }: ClientActionFunctionArgs) {
  return failureOf(serverAction, "Error deleting machine group");
}

export default function DeleteGroupDialog() {
  const { id, name, machines, consequences } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof clientAction>();
  const closeTo = `${paths.machineGroup(id)}${useLocation().search}`;
  return (
    <ConfirmDialog
      title="Confirm deletion of machine group"
      address={paths.machineGroupDeletion(id)}
      closeTo={closeTo}
      returnFocusTo="delete-group"
      verb="Delete group"
      pendingVerb="Deleting..."
      isDangerous
      failure={answer?.error}
    >
      <p>{`The group ‘${name}’ of ${machines} is deleted; the machines themselves stay.`}</p>
      {consequences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <p>This can’t be undone.</p>
    </ConfirmDialog>
  );
}
