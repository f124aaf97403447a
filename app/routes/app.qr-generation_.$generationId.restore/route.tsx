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
import { getMassGeneration } from "../../features/mass-generations/mass-generation-sql.server";
import { restoreMassGeneration } from "../../features/promotions/lifecycle/promotion-lifecycle.server";
import { failureOf } from "../../forms/network-errors";
import { formatCodes } from "../../format/promotion";
import { screenRoute } from "../../http/answers.server";
import { requireAdmin } from "../../http/guards.server";
import { redirectWithMessage } from "../../http/messages.server";
import { paths } from "../../paths";
import { ConfirmDialog } from "../../ui/overlay/confirm-dialog";

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
    actor: session.actor,
  });
  return redirectWithMessage(session, paths.generation(generationId), {
    kind: "success",
    text: "Mass Generation successfully restored",
  });
});

/** With scripts the dialog outlives a request that gets no answer. */
export function clientAction({ serverAction }: ClientActionFunctionArgs) {
  return failureOf(serverAction, "Error restoring mass generation");
}

export default function RestoreGenerationDialog() {
  const { id, name, codes } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof clientAction>();
  const closeTo = `${paths.generation(id)}${useLocation().search}`;
  return (
    <ConfirmDialog
      title="Restore the whole mass generation?"
      address={paths.generationRestoring(id)}
      closeTo={closeTo}
      returnFocusTo="retire"
      verb={`Restore ${codes}`}
      pendingVerb="Restoring..."
      failure={answer?.error}
    >
      <p>{`All ${codes} of the mass generation ‘${name}’ are restored, each as it was before.`}</p>
    </ConfirmDialog>
  );
}
