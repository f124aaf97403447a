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
import { DomainError, statusOfReason } from "../../errors";
import { machinesAddress } from "../../features/machines/machines-address";
import { readHeldList } from "../../features/machines/platform-state.server";
import { confirmationLinkId } from "../../features/machines/platform-notes";
import { formatMachines } from "../../features/machines/platform-view";
import { confirmMissing } from "../../features/promotions/manage-machines/refresh-machines.server";
import { networkErrorMessage } from "../../forms/network-errors";
import { screenRoute } from "../../http/answers.server";
import { requireAdmin } from "../../http/guards.server";
import { redirectWithMessage } from "../../http/messages.server";
import { markRefused, wasRefused } from "../../http/refused.server";
import { paths } from "../../paths";
import { SubmitButton } from "../../ui/form/submit-button";
import { DialogActions, DialogCancel, DialogRoute } from "../../ui/overlay/dialog-route";
import { FailureNote } from "../../ui/overlay/failure-note";
import { confirmedText, MissingMachines } from "./missing-machines";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.wasRefused ? "Error: " : ""}Missing machines - Machines - Promo Console` },
];

export const loader = screenRoute(async (args: LoaderFunctionArgs) => {
  await requireAdmin(args);
  return json({ held: await readHeldList(), wasRefused: wasRefused(args.context) });
});

export const action = screenRoute(async (args: ActionFunctionArgs) => {
  const session = await requireAdmin(args);
  const posted = await args.request.formData();
  try {
    const flagged = await confirmMissing(String(posted.get("held") ?? ""), {
      actor: session.actor,
    });
    const back = machinesAddress(new URL(args.request.url).search);
    return await redirectWithMessage(session, back, {
      kind: "success",
      text: confirmedText(flagged),
    });
  } catch (cause) {
    if (!(cause instanceof DomainError)) throw cause;
    markRefused(args.context);
    return json({ error: cause.message }, { status: statusOfReason[cause.reason] });
  }
});

/** With scripts the dialog outlives a request that gets no answer. */
export async function clientAction({ serverAction }: ClientActionFunctionArgs) {
  try {
    return await serverAction<typeof action>();
  } catch (cause) {
    return { error: networkErrorMessage(cause, "Failed to refresh machines list") };
  }
}

export default function MissingMachinesDialog() {
  const { held } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const closeTo = machinesAddress(useLocation().search);
  const isAsking = useNavigation().formAction?.startsWith(paths.machinesConfirmation) ?? false;
  return (
    <DialogRoute
      title="Are these machines gone?"
      closeTo={closeTo}
      returnFocusTo={confirmationLinkId}
    >
      <FailureNote isPending={isAsking}>{answer?.error}</FailureNote>
      {held ? (
        <Form method="post" preventScrollReset>
          <input type="hidden" name="held" value={held.id} />
          <MissingMachines held={held} />
          <DialogActions>
            <SubmitButton variant="danger" isPending={isAsking} pendingLabel="Asking SmartVend...">
              {`Mark ${formatMachines(held.missing)} as deleted`}
            </SubmitButton>
            <DialogCancel to={closeTo} />
          </DialogActions>
        </Form>
      ) : (
        <>
          <p>There is nothing to confirm: no machine is missing from SmartVend&apos;s list.</p>
          <DialogActions>
            <DialogCancel to={closeTo}>Close</DialogCancel>
          </DialogActions>
        </>
      )}
    </DialogRoute>
  );
}
