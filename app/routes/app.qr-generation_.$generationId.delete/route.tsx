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
import { deleteMassGeneration } from "../../features/promotions/lifecycle/promotion-lifecycle.server";
import { failureOf } from "../../forms/network-errors";
import { formatCodes } from "../../format/promotion";
import { screenRoute } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { redirectWithMessage } from "../../http/messages.server";
import { paths } from "../../paths";
import { ConfirmDialog } from "../../ui/overlay/confirm-dialog";

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
    actor: session.actor,
  });
  return redirectWithMessage(session, paths.generation(generationId), {
    kind: "success",
    text: "Mass Generation successfully deleted",
  });
});

/** With scripts the dialog outlives a request that gets no answer. */
export function clientAction({ serverAction }: ClientActionFunctionArgs) {
  return failureOf(serverAction, "Error deleting mass generation");
}

export default function DeleteGenerationDialog() {
  const { id, name, codes } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof clientAction>();
  const closeTo = `${paths.generation(id)}${useLocation().search}`;
  return (
    <ConfirmDialog
      title="Confirm deletion of mass generation"
      address={paths.generationDeletion(id)}
      closeTo={closeTo}
      returnFocusTo="retire"
      verb={`Delete ${codes}`}
      pendingVerb="Deleting..."
      isDangerous
      failure={answer?.error}
    >
      <p>
        {`The mass generation ‘${name}’ of ${codes} is marked deleted. All associated promotions are also marked deleted, and machines refuse them from then on.`}
      </p>
      <p>An admin can restore it.</p>
    </ConfirmDialog>
  );
}
