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
import { restoreMassGeneration } from "../../features/promotions/retire-promotions.server";
import { unansweredSentence } from "../../forms/unanswered";
import { formatCodes } from "../../format/promotion";
import { screenRoute } from "../../http/answers.server";
import { requireAdmin } from "../../http/guards.server";
import { redirectWithMessage } from "../../http/messages.server";
import { paths } from "../../paths";
import { SubmitButton } from "../../ui/form/submit-button";
import { DialogActions, DialogCancel, DialogRoute } from "../../ui/overlay/dialog-route";
import { FailureNote } from "../../ui/overlay/failure-note";

export const meta: MetaFunction = () => [
  { title: "Confirm restoring - QR Generation - Promo Console" },
];

export const loader = screenRoute(async (args: LoaderFunctionArgs) => {
  await requireAdmin(args);
  const { id, name, numCodes } = await getMassGeneration(args.params.generationId ?? "");
  return json({ id, name, codes: formatCodes(numCodes) });
});

export const action = screenRoute(async (args: ActionFunctionArgs) => {
  const session = await requireAdmin(args);
  const generationId = args.params.generationId ?? "";
  await restoreMassGeneration(generationId, {
    actor: session.user,
    requestId: args.context.requestId,
  });
  return redirectWithMessage(session, paths.generation(generationId), {
    kind: "success",
    text: "Mass Generation successfully restored",
  });
});

/** With scripts the dialog outlives a request that gets no answer. */
export async function clientAction({ serverAction }: ClientActionFunctionArgs) {
  try {
    await serverAction<typeof action>();
    return { error: null };
  } catch (cause) {
    return { error: unansweredSentence(cause, "Error restoring mass generation") };
  }
}

export default function RestoreGenerationDialog() {
  const { id, name, codes } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof clientAction>();
  const closeTo = `${paths.generation(id)}${useLocation().search}`;
  const isRestoring =
    useNavigation().formAction?.startsWith(paths.generationRestoring(id)) ?? false;
  return (
    <DialogRoute
      title="Restore the whole mass generation?"
      closeTo={closeTo}
      returnFocusTo="retire"
    >
      <FailureNote isPending={isRestoring}>{answer?.error}</FailureNote>
      <p>{`All ${codes} of the mass generation ‘${name}’ are restored, each as it was before.`}</p>
      <Form method="post" preventScrollReset>
        <DialogActions>
          <SubmitButton isPending={isRestoring} pendingLabel="Restoring...">
            {`Restore ${codes}`}
          </SubmitButton>
          <DialogCancel to={closeTo} />
        </DialogActions>
      </Form>
    </DialogRoute>
  );
}
