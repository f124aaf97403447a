import {
  json,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import {
  Form,
  useActionData,
  useLoaderData,
  useLocation,
  useNavigation,
  type ClientActionFunctionArgs,
} from "@remix-run/react";
import {
  deleteMachineGroup,
  previewGroupDeletion,
} from "../../features/machines/delete-machine-group.server";
import { getMachineGroup } from "../../features/machines/machine-groups.server";
import { machinesWords } from "../../features/machines/machine-words";
import { unansweredSentence } from "../../forms/unanswered";
import { screenRoute } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { redirectWithMessage } from "../../http/messages.server";
import { paths } from "../../paths";
import { SubmitButton } from "../../ui/form/submit-button";
import { DialogActions, DialogCancel, DialogRoute } from "../../ui/overlay/dialog-route";
import { FailureNote } from "../../ui/overlay/failure-note";
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
    machines: machinesWords(machines.live + machines.deleted),
    consequences: consequences(unassigned),
  });
});

export const action = screenRoute(async (args: ActionFunctionArgs) => {
  const session = await requireUser(args);
  const { requestId } = args.context;
  await deleteMachineGroup(args.params.groupId ?? "", { actor: session.user, requestId });
  const text = "Machine group successfully deleted";
  return redirectWithMessage(session, paths.machineGroups, { kind: "success", text });
});

/** With scripts the dialog outlives a request that gets no answer. */
export async function clientAction({ serverAction }: ClientActionFunctionArgs) {
  try {
    await serverAction<typeof action>();
    return { error: null };
  } catch (cause) {
    return { error: unansweredSentence(cause, "Error deleting machine group") };
  }
}

export default function DeleteGroupDialog() {
  const { id, name, machines, consequences } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof clientAction>();
  const closeTo = `${paths.machineGroup(id)}${useLocation().search}`;
  const isDeleting =
    useNavigation().formAction?.startsWith(paths.machineGroupDeletion(id)) ?? false;
  return (
    <DialogRoute
      title="Confirm deletion of machine group"
      role="alertdialog"
      closeTo={closeTo}
      returnFocusTo="delete-group"
    >
      <FailureNote isPending={isDeleting}>{answer?.error}</FailureNote>
      <p>{`The group ‘${name}’ of ${machines} is deleted; the machines themselves stay.`}</p>
      {consequences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <p>This can’t be undone.</p>
      <Form method="post" preventScrollReset>
        <DialogActions>
          <SubmitButton variant="danger" isPending={isDeleting} pendingLabel="Deleting...">
            Delete group
          </SubmitButton>
          <DialogCancel to={closeTo} />
        </DialogActions>
      </Form>
    </DialogRoute>
  );
}
