import { randomUUID } from "node:crypto";
import {
  json,
  redirect,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { DomainError, statusOfReason } from "../../errors";
import { layOutPickers } from "../../features/assignments/target-lists";
import { listAssignableTargets } from "../../features/assignments/targets.server";
import {
  isForAdmins,
  needsMachines,
  parseBulkAction,
  type BulkAction,
} from "../../features/promotions/lifecycle/bulk-actions";
import { applyIntent, bulkValidator } from "../../features/promotions/lifecycle/bulk-form";
import { applyBulk, previewBulk } from "../../features/promotions/lifecycle/bulk-promotions.server";
import { listParams } from "../../features/promotions/lifecycle/bulk-selection";
import { siteToday } from "../../features/promotions/site-day.server";
import { formatDateInput } from "../../forms/typed-date";
import { refillForm, wholeFormError, type FieldErrors } from "../../forms/validator";
import { requireUser } from "../../http/guards.server";
import { markRefused, wasRefused } from "../../http/refused.server";
import { orBackToList, requireSelection } from "../../http/selection.server";
import type { RouteArgs } from "../../http/sessions.server";
import { paths } from "../../paths";
import { BulkForm } from "./bulk-form";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.wasRefused ? "Error: " : ""}Several codes - QR List - Promo Console` },
];

/** What is to be done to what, as the address says. */
async function readRequest(args: RouteArgs, session: Awaited<ReturnType<typeof requireUser>>) {
  const params = new URL(args.request.url).searchParams;
  const action = parseBulkAction(params.get("do"));
  if (!action) throw redirect(paths.qrList, 303);
  if (isForAdmins(action) && session.user.role !== "admin")
    throw new Response("You are not allowed to do this.", { status: 403 });
  return { action, params, selection: await requireSelection(session, params) };
}

async function pickersFor(action: BulkAction, fields: FormData | URLSearchParams) {
  const kinds = needsMachines(action) ? (["machine"] as const) : [];
  return layOutPickers(await listAssignableTargets(kinds), fields);
}

export async function loader(args: LoaderFunctionArgs) {
  const session = await requireUser(args);
  const { action, params, selection } = await readRequest(args, session);
  const [preview, today, pickers] = await Promise.all([
    orBackToList(session, params, previewBulk(action, selection)),
    siteToday(),
    pickersFor(action, new URLSearchParams()),
  ]);
  return json({
    action,
    preview,
    today,
    expiryExample: formatDateInput(`${today.slice(0, 4)}-12-31`),
    pickers,
    once: randomUUID(),
    wasRefused: wasRefused(args.context),
  });
}

export async function action(args: ActionFunctionArgs) {
  const session = await requireUser(args, { canRestore: true });
  const { action, params, selection } = await readRequest(args, session);
  const posted = await args.request.formData();
  const field = (name: string) => String(posted.get(name) ?? "");

  const refill = async (errors: FieldErrors, status: number, once = field("idempotency_key")) => {
    if (status !== 200) markRefused(args.context);
    const answer = refillForm(errors, Object.fromEntries(posted), { status });
    const pickers = await pickersFor(action, posted);
    return json({ ...(await answer.json()), pickers, once }, { status });
  };

  if (field("intent") !== applyIntent) return refill({}, 200);
  const { data, error } = await bulkValidator(action, await siteToday()).validate(posted);
  if (error) return refill(error.fieldErrors, 422);
  const key = field("idempotency_key") || randomUUID();
  try {
    await applyBulk(action, selection, data, {
      actor: session.actor,
      idempotencyKey: key,
      expected: /^\d{1,6}$/.test(field("expected")) ? Number(field("expected")) : null,
    });
  } catch (cause) {
    if (!(cause instanceof DomainError)) throw cause;
    const hasFields = Object.keys(cause.fields).length > 0;
    const errors = hasFields ? cause.fields : { [wholeFormError]: cause.message };
    return refill(errors, statusOfReason[cause.reason], randomUUID());
  }
  return redirect(`${paths.bulkResult(key)}?${listParams(params)}`, 303);
}

export default function BulkPage() {
  const page = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return (
    <BulkForm
      {...page}
      pickers={answer?.pickers ?? page.pickers}
      once={answer?.once ?? page.once}
    />
  );
}
