import { randomUUID } from "node:crypto";
import { redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { layOutPickers } from "../../features/assignments/targets";
import { listAssignableTargets } from "../../features/assignments/targets.server";
import {
  type BulkAction,
  isForAdmins,
  listParams,
  needsMachines,
  parseBulkAction,
} from "../../features/promotions/lifecycle/bulk-actions";
import { applyIntent, bulkValidator } from "../../features/promotions/lifecycle/bulk-form";
import {
  applyBulk,
  previewBulk,
} from "../../features/promotions/lifecycle/promotion-lifecycle.server";
import { siteToday } from "../../features/promotions/promotion-sql.server";
import { formatDateInput } from "../../forms/typed-date";
import { formMeta } from "../../forms/form-meta";
import { formAction, newForm } from "../../http/form-action.server";
import { screenLoader } from "../../http/answers.server";
import { requireAdmin, requireUser } from "../../http/guards.server";
import { orBackToList, requireSelection } from "../../http/selection.server";
import type { RouteArgs, Session } from "../../http/sessions.server";
import { paths } from "../../paths";
import { BulkForm } from "./bulk-form";

export const meta = formMeta("Several codes - QR List");

/** @throws Response back to the list, for an action that does not exist */
function readAction(request: Request): BulkAction {
  const action = parseBulkAction(new URL(request.url).searchParams.get("intent"));
  if (!action) throw redirect(paths.qrList, 303);
  return action;
}

/** Lets everybody through who may carry out the action of the address. */
async function requireBulkUser(args: RouteArgs, options?: { canRestore: boolean }) {
  const session = await requireUser(args, options);
  if (isForAdmins(readAction(args.request))) await requireAdmin(args, options);
  return session;
}

/** Reads which action is to be applied to what from the address. */
async function readRequest(request: Request, session: Session) {
  const params = new URL(request.url).searchParams;
  return {
    action: readAction(request),
    params,
    selection: await requireSelection(session, params),
  };
}

async function pickersFor(action: BulkAction, fields: FormData | URLSearchParams) {
  const kinds = needsMachines(action) ? (["machine"] as const) : [];
  return layOutPickers(await listAssignableTargets(kinds), fields);
}

export const loader = screenLoader(requireBulkUser, async (args, session) => {
  const { action, params, selection } = await readRequest(args.request, session);
  const [preview, today, pickers] = await Promise.all([
    orBackToList(session, params, previewBulk(action, selection)),
    siteToday(),
    pickersFor(action, new URLSearchParams()),
  ]);
  return {
    action,
    preview,
    today,
    expiryExample: formatDateInput(`${today.slice(0, 4)}-12-31`),
    pickers,
    ...newForm(args),
  };
});

export const action = formAction({
  guard: requireBulkUser,
  intent: applyIntent,
  async validator({ request }) {
    return bulkValidator(readAction(request), await siteToday());
  },
  async run(values, { request, session, options, field }) {
    const { action, params, selection } = await readRequest(request, session);
    const key = options.idempotencyKey ?? randomUUID();
    await applyBulk(action, selection, values, {
      actor: options.actor,
      idempotencyKey: key,
      expected: /^\d{1,6}$/.test(field("expected")) ? Number(field("expected")) : null,
    });
    return redirect(`${paths.bulkResult(key)}?${listParams(params)}`, 303);
  },
  rerender: async ({ request, posted }) => ({
    pickers: await pickersFor(readAction(request), posted),
  }),
});

export default function BulkPage() {
  const page = useLoaderData<typeof loader>();
  const answer = useActionData<{ pickers?: typeof page.pickers }>();
  return <BulkForm page={{ ...page, pickers: answer?.pickers ?? page.pickers }} />;
}
