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
import { getMassGeneration } from "../../features/mass-generations/mass-generation-rows.server";
import { deleteMassGeneration } from "../../features/promotions/retire-promotions.server";
import { unansweredSentence } from "../../forms/unanswered";
import { formatCodes } from "../../format/promotion";
import { screenRoute } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { redirectWithMessage } from "../../http/messages.server";
import { paths } from "../../paths";
import { SubmitButton } from "../../ui/form/submit-button";
import { DialogActions, DialogCancel, DialogRoute } from "../../ui/overlay/dialog-route";
import { FailureNote } from "../../ui/overlay/failure-note";

export const meta: MetaFunction = () => [
  { title: "Confirm deletion of mass generation - QR Generation - Promo Console" },
];

export const loader = screenRoute(async (args: LoaderFunctionArgs) => {
  await requireUser(args);
  const { id, name, numCodes } = await getMassGeneration(args.params.generationId ?? "");
  return json({ id, name, codes: formatCodes(numCodes) });
});

export const action = screenRoute(async (args: ActionFunctionArgs) => {
  const session = await requireUser(args);
  const generationId = args.params.generationId ?? "";
  await deleteMassGeneration(generationId, {
    actor: session.user,
    requestId: args.context.requestId,
  });
  return redirectWithMessage(session, paths.generation(generationId), {
    kind: "success",
    text: "Mass Generation successfully deleted",
  });
});

/** With scripts the dialog outlives a request that gets no answer. */
export async function clientAction({ serverAction }: ClientActionFunctionArgs) {
  try {
    await serverAction<typeof action>();
    return { error: null };
  } catch (cause) {
    return { error: unansweredSentence(cause, "Error deleting mass generation") };
  }
}

export default function DeleteGenerationDialog() {
  const { id, name, codes } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof clientAction>();
  const closeTo = `${paths.generation(id)}${useLocation().search}`;
  const isDeleting = useNavigation().formAction?.startsWith(paths.generationDeletion(id)) ?? false;
  return (
    <DialogRoute
      title="Confirm deletion of mass generation"
      role="alertdialog"
      closeTo={closeTo}
      returnFocusTo="retire"
    >
      <FailureNote isPending={isDeleting}>{answer?.error}</FailureNote>
      <p>
        {`The mass generation ‘${name}’ of ${codes} is marked deleted. All associated promotions are also marked deleted, and machines refuse them from then on.`}
      </p>
      <p>An admin can restore it.</p>
      <Form method="post" preventScrollReset>
        <DialogActions>
          <SubmitButton variant="danger" isPending={isDeleting} pendingLabel="Deleting...">
            {`Delete ${codes}`}
          </SubmitButton>
          <DialogCancel to={closeTo} />
        </DialogActions>
      </Form>
    </DialogRoute>
  );
}
