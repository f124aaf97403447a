import { siteToday } from "../../db/site.server";
import { redirect } from "@remix-run/node";
import { useActionData, useLoaderData, useLocation } from "@remix-run/react";
import type { Picker } from "../../features/assignments/targets";
import { listParams } from "../../features/promotions/list/promotion-filters";
import { applyIntent, bulkValidator } from "../../features/promotions/lifecycle/bulk-form";
import {
  findBulk,
  startBulk,
  undoBulk,
} from "../../features/promotions/lifecycle/bulk-actions.server";
import { wakeJobs } from "../../db/job-runner.server";
import { pageMeta } from "../../forms/page-meta";
import { rerenderForm } from "../../forms/validator";
import { checked, formLoader, formsAction } from "../../http/form-action.server";
import { requireEditor } from "../../http/guards.server";
import { bulkUrl } from "../../http/selection.server";
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import { ButtonLink } from "../../ui/form/button";
import { PostButton } from "../../ui/form/post-button";
import { Page } from "../../ui/layout/page";
import { visuallyHidden } from "#styles/global.css";
import { BulkProgress, BulkResult } from "./bulk-outcome";
import { ConfirmBulk } from "./confirm-bulk";
import { pickersFor, readPage } from "./page.server";

export const meta = pageMeta();

export const handle = {
  nameOf: ({ title }: { title: string }) => title,
  crumbs: { bulk: "" },
};

export const loader = formLoader(requireEditor, readPage);

/** Leads to a bulk action that was started. */
function toBulk(id: string, request: Request) {
  wakeJobs();
  return redirect(bulkUrl(id, new URL(request.url).searchParams), 303);
}

export const action = formsAction({
  guard: requireEditor,
  forms: {
    [applyIntent]: checked(
      async ({ params, session }) => {
        const { action } = await findBulk(session.user.id, params.operationId!);
        return bulkValidator(action, await siteToday());
      },
      async (values, { request, params, options }) => {
        await startBulk(params.operationId!, values, options);
        return toBulk(params.operationId!, request);
      },
    ),
    undo: async ({ request, params, options }) =>
      toBulk(await undoBulk(params.operationId!, options), request),
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
          <>
            {page.undoLabel !== null && (
              <PostButton intent="undo" pendingLabel="Saving...">
                {page.undoLabel}
              </PostButton>
            )}
            <ButtonLink to={list} variant="primary">
              Back to the list
            </ButtonLink>
          </>
        )
      }
    >
      <div role="status">
        {page.state === "done" ? (
          <MessageBlock kind={page.kind}>{page.status}</MessageBlock>
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
