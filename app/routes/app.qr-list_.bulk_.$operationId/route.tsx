import { siteToday } from "../../db/site.server";
import { redirect } from "@remix-run/node";
import { useActionData, useLoaderData, useLocation } from "@remix-run/react";
import type { Picker } from "../../features/assignments/targets";
import { loadPickers } from "../../features/assignments/targets.server";
import {
  type LifecycleAction,
  needsTargets,
} from "../../features/promotions/lifecycle/bulk-actions";
import {
  bulkTexts,
  describeConsequence,
  describeOutcome,
  describeResult,
  fillCodes,
} from "../../features/promotions/lifecycle/bulk-texts";
import { listParams } from "../../features/promotions/list/promotion-filters";
import { applyIntent, bulkValidator } from "../../features/promotions/lifecycle/bulk-form";
import { findBulk, startBulk } from "../../features/promotions/lifecycle/bulk-actions.server";
import { wakeJobs } from "../../db/job-runner.server";
import { pageMeta } from "../../forms/page-meta";
import { rerenderForm } from "../../forms/validator";
import { formAction, formLoader } from "../../http/form-action.server";
import { requireEditor } from "../../http/guards.server";
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import { ButtonLink } from "../../ui/form/button";
import { Page } from "../../ui/layout/page";
import { visuallyHidden } from "#styles/global.css";
import { BulkProgress, BulkResult } from "./bulk-outcome";
import { ConfirmBulk } from "./confirm-bulk";

export const meta = pageMeta();

export const handle = {
  nameOf: ({ title }: { title: string }) => title,
  crumbs: { bulk: "" },
};

async function pickersFor(
  action: LifecycleAction,
  fields: FormData | URLSearchParams,
): Promise<Picker[]> {
  return needsTargets(action) ? loadPickers(fields) : [];
}

/** Shows a bulk action while it waits for its confirmation, while it runs and when it is done. */
export const loader = formLoader(requireEditor, async (args, { user }) => {
  const { action, state, position, total, outcome } = await findBulk(
    user.id,
    args.params.operationId!,
  );
  const { codes, refusals } = outcome;
  const skipped = refusals.reasons.reduce((sum, { count }) => sum + count, 0);
  const common = { action, outcome, skipped };
  if (state === "running") {
    const title = fillCodes(bulkTexts[action].doing, total);
    const quarter = 25 * Math.floor((4 * position) / total);
    return { ...common, state, title, status: `${quarter}% done`, position, total };
  }
  if (state === "done")
    return {
      ...common,
      state,
      title: describeResult(action, codes),
      status: describeOutcome(codes, skipped),
    };
  const today = await siteToday();
  const { title } = bulkTexts[action];
  return {
    ...common,
    state,
    status: "",
    today,
    title: codes === 0 ? "No code can be changed" : fillCodes(title, codes),
    consequence: describeConsequence(action, outcome),
    pickers: await pickersFor(action, new URLSearchParams()),
  };
});

export const action = formAction({
  guard: requireEditor,
  intent: applyIntent,
  async validator({ params, session }) {
    const { action } = await findBulk(session.user.id, params.operationId!);
    return bulkValidator(action, await siteToday());
  },
  async run(values, { request, params, options }) {
    const id = params.operationId!;
    await startBulk(id, values, options);
    wakeJobs();
    const filters = listParams(new URL(request.url).searchParams);
    return redirect(`${paths.bulkAction(id)}?${filters}`, 303);
  },
  async rerender({ params, session, posted }) {
    const { action } = await findBulk(session.user.id, params.operationId!);
    return { pickers: await pickersFor(action, posted) };
  },
});

export const clientAction = rerenderForm("Error changing codes");

export default function BulkPage() {
  const page = useLoaderData<typeof loader>();
  const answer = useActionData<{ pickers?: Picker[] }>();
  const list = `${paths.qrList}?${listParams(new URLSearchParams(useLocation().search))}`;
  return (
    <Page
      title={page.title}
      actions={
        page.state === "done" && (
          <ButtonLink to={list} variant="primary">
            Back to the list
          </ButtonLink>
        )
      }
    >
      <div role="status">
        {page.state === "done" ? (
          <MessageBlock kind={page.outcome.codes > 0 ? "success" : "info"}>
            {page.status}
          </MessageBlock>
        ) : (
          <p className={visuallyHidden}>{page.status}</p>
        )}
      </div>
      {page.state === "prepared" && (
        <ConfirmBulk page={{ ...page, pickers: answer?.pickers ?? page.pickers }} list={list} />
      )}
      {page.state === "running" && <BulkProgress page={page} />}
      {page.state === "done" && <BulkResult page={page} />}
    </Page>
  );
}
