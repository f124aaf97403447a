import { Outlet, useLoaderData } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import { DomainError } from "../../errors";
import { findImportRequest } from "../../features/approvals/list-approvals.server";
import { importStates } from "../../features/imports/import";
import {
  confirmImport,
  getImport,
  hasVerdicts,
  readImported,
  readWrongRows,
} from "../../features/imports/imports.server";
import { pageMeta } from "../../forms/page-meta";
import { rerenderForm } from "../../forms/validator";
import { countOf } from "../../format/number";
import { orList } from "../../http/answers.server";
import { formLoader, formsAction } from "../../http/form-action.server";
import { requireEditor } from "../../http/guards.server";
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import { ProgressCard } from "../../ui/feedback/progress";
import { ButtonLink } from "../../ui/form/button";
import { PostButton } from "../../ui/form/post-button";
import { DetailColumns } from "../../ui/layout/detail";
import { notes } from "../../ui/layout/layout.css";
import { FactList, Page } from "../../ui/layout/page";
import { DialogLink } from "../../ui/overlay/dialog-route";
import { visuallyHidden } from "#styles/global.css";
import { ImportedList, Preview, StayedList, WrongRows } from "./import-parts";
import { toImportPage } from "./page-view";

export const meta = pageMeta();

export const handle = { nameOf: ({ title }: { title: string }) => title };

export const loader = formLoader(requireEditor, async ({ params }, session) => {
  const { user } = session;
  const item = await orList(session, paths.imports, getImport(params.importId!, user));
  const requestId = item.state === "checked" ? await findImportRequest(item.id) : null;
  return {
    ...toImportPage(item, siteTimeZone(), requestId),
    hasVerdicts: await hasVerdicts(item),
    wrong: item.state === "checked" ? await readWrongRows(item.id) : [],
    imported: item.state === "imported" ? await readImported(item) : null,
  };
});

export const action = formsAction({
  guard: requireEditor,
  forms: {
    async confirm({ params, session, options }) {
      const id = params.importId!;
      const to = paths.import(id);
      try {
        await confirmImport(id, options);
      } catch (cause) {
        if (!(cause instanceof DomainError) || cause.reason !== "conflict") throw cause;
        const { state } = await getImport(id, session.user);
        if (state !== "importing" && state !== "imported") throw cause;
        return { to, kind: "info", text: "This import has started already" };
      }
      return { to, text: "The import has started" };
    },
  },
});

export const clientAction = rerenderForm("Error changing import");

export default function ImportPage() {
  const page = useLoaderData<typeof loader>();
  const { state, title, isRunning, wrongRows } = page;
  const isReady = state === "checked" && wrongRows === 0;
  return (
    <Page
      title={title}
      actions={
        <>
          {page.requestId && (
            <ButtonLink to={paths.approval(page.requestId)}>Open request</ButtonLink>
          )}
          {isReady && !page.requestId && (
            <PostButton intent="confirm" variant="primary" pendingLabel="Starting...">
              {`Import ${countOf(page.total, "row")}`}
            </PostButton>
          )}
          {page.canUndo && <DialogLink to={paths.importUndo(page.id)}>Undo import</DialogLink>}
          {page.hasVerdicts && (
            <ButtonLink to={paths.importVerdicts(page.id)} reloadDocument icon="download">
              Download verdicts
            </ButtonLink>
          )}
        </>
      }
    >
      <Outlet />
      <div role="status" className={isRunning ? undefined : notes}>
        {isRunning ? (
          <p className={visuallyHidden}>{importStates[state]}</p>
        ) : (
          <MessageBlock kind={page.messageKind}>{page.message}</MessageBlock>
        )}
      </div>
      <DetailColumns
        aside={
          <FactList
            facts={[
              ["Content", page.kindLabel],
              ["Rows", page.rows],
              ["Status", page.stateLabel],
              ["Uploaded", page.created],
              ["By", page.createdBy],
              page.importedAt !== null && ["Imported", page.importedAt],
            ]}
          />
        }
      >
        {isRunning && (
          <ProgressCard
            title={importStates[state]}
            position={page.position}
            total={page.total}
            noun="row"
          />
        )}
        {wrongRows > 0 && <WrongRows rows={page.wrong} total={wrongRows} />}
        {isReady && <Preview {...page} />}
        {page.imported && <ImportedList {...page.imported} />}
        <StayedList entries={page.stayed} />
      </DetailColumns>
    </Page>
  );
}
