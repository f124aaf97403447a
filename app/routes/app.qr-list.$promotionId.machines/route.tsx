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
  type ClientLoaderFunctionArgs,
} from "@remix-run/react";
import { DomainError, statusOfReason } from "../../errors";
import { actionOrSignIn, unansweredSentence } from "../../forms/unanswered";
import { screenRoute } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { redirectWithMessage } from "../../http/messages.server";
import { markRefused, wasRefused } from "../../http/refused.server";
import { paths } from "../../paths";
import { DialogActions, DialogCancel, DialogRoute } from "../../ui/overlay/dialog-route";
import { About, LoadFailure } from "./about-promotion";
import { failureOf, fieldNames, listSearchOf, type DialogAnswer } from "./dialog-actions";
import { ManageMachines } from "./manage-machines";
import { perform, readManagedMachines } from "./manage.server";
import { readInBrowser, useManagedMachines } from "./use-managed-machines";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.wasRefused ? "Error: " : ""}Manage Machines - QR List - Promo Console` },
];

export const loader = screenRoute(async (args: LoaderFunctionArgs) => {
  await requireUser(args);
  const { searchParams } = new URL(args.request.url);
  const data = await readManagedMachines(args.params.promotionId ?? "", searchParams);
  return json({ ...data, wasRefused: wasRefused(args.context) });
});

export function clientLoader({ request, params, serverLoader }: ClientLoaderFunctionArgs) {
  return readInBrowser(request, params.promotionId, () => serverLoader<typeof loader>());
}

export const action = screenRoute(async (args: ActionFunctionArgs) => {
  const session = await requireUser(args, { canRestore: true });
  const posted = await args.request.formData();
  const intent = String(posted.get("intent") ?? "");
  const ticked = posted.getAll(fieldNames.machines).map(String);
  const search = String(posted.get(fieldNames.search) ?? "");
  const id = args.params.promotionId ?? "";

  let answer: DialogAnswer | null;
  let status = 200;
  try {
    answer = await perform(intent, id, ticked, { session, requestId: args.context.requestId });
  } catch (cause) {
    if (!(cause instanceof DomainError)) throw cause;
    answer = { kind: "error", text: cause.message };
    status = statusOfReason[cause.reason];
  }
  if (answer && answer.kind !== "error" && !posted.has(fieldNames.inPlace)) {
    const here = new URL(args.request.url);
    const back = new URLSearchParams(listSearchOf(here.search));
    if (search) back.set(fieldNames.search, search);
    const query = back.size > 0 ? `?${back}` : "";
    return redirectWithMessage(session, `${paths.promotionMachines(id)}${query}`, answer);
  }
  if (status !== 200) markRefused(args.context);
  return json({ answer, ticked, search }, { status });
});

/** With scripts the dialog outlives a request that gets no answer. */
export async function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const intent = String((await request.clone().formData()).get("intent"));
  try {
    return await actionOrSignIn(request, () => serverAction<typeof action>());
  } catch (cause) {
    const answer: DialogAnswer = {
      kind: "error",
      text: unansweredSentence(cause, failureOf(intent)),
    };
    return { answer, ticked: [], search: "" };
  }
}

export default function MachinesDialog() {
  const data = useLoaderData<typeof loader>();
  const returned = useActionData<typeof action>();
  const { machines, failure, read } = useManagedMachines(data);
  const closeTo = `${paths.qrList}${listSearchOf(useLocation().search)}`;
  return (
    <DialogRoute
      title="Manage Machines"
      size="wide"
      closeTo={closeTo}
      returnFocusTo={`machines-${data.id}`}
    >
      <About {...data} isShared={machines?.isShared ?? false} />
      {failure && <LoadFailure onRetry={() => read("")}>{failure}</LoadFailure>}
      {machines && <ManageMachines data={machines} returned={returned} onSearch={read} />}
      {!machines && !failure && <p role="status">Loading...</p>}
      <DialogActions>
        <DialogCancel to={closeTo}>Close</DialogCancel>
      </DialogActions>
    </DialogRoute>
  );
}
