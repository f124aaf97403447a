// Without script: one field for a name, and a form of buttons for each view.
import { Form, Link, useActionData, useLoaderData, useLocation } from "@remix-run/react";
import { statusOfReason } from "../../errors";
import { pageSearch } from "../../lists/list-params";
import { noAnswerMessage } from "../../forms/network-errors";
import { paths } from "../../paths";
import { FailureNote, useErrorTitle } from "../../ui/feedback/message-block";
import { Button, ButtonLink, SubmitButton } from "../../ui/form/button";
import { InputField } from "../../ui/form/field";
import { actions, entries, parts } from "../../ui/layout/layout.css";
import { useIsSending } from "../../ui/overlay/close-guard";
import { DialogActions, DialogCancel, DialogRoute } from "../../ui/overlay/dialog-route";
import { visuallyHidden } from "#styles/global.css";
import type { action, loader } from "./route";
import * as css from "./views.css";

/** Id of the view whose name the form changes. */
const renameParam = "rename";

/** Returns the query string of the list below. */
export function listSearchOf(url: string): string {
  return pageSearch(new URL(url, "http://list").searchParams, [renameParam]);
}

export function SavedViews() {
  const { views } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { search } = useLocation();
  const isPending = useIsSending();
  const listSearch = listSearchOf(search);
  const closeTo = `${paths.qrList}${listSearch || "?page=1"}`;
  const renamedId = new URLSearchParams(search).get(renameParam);
  const renamed = views.find(({ id }) => id === renamedId);
  const isUnanswered = answer?.error === noAnswerMessage;
  useErrorTitle(!isUnanswered && Boolean(answer?.error));
  return (
    <DialogRoute title="Saved views" closeTo={closeTo} returnFocusTo="saved-views">
      {views.length > 0 && (
        <ul className={entries}>
          {views.map((view) => (
            <ViewItem key={view.id} view={view} listSearch={listSearch} />
          ))}
        </ul>
      )}
      <FailureNote isPending={isPending}>{isUnanswered && answer.error}</FailureNote>
      <Form
        key={renamed?.id}
        method="post"
        replace
        preventScrollReset
        className={parts}
        aria-label={renamed ? `Rename ${renamed.name}` : "Save view"}
      >
        {renamed && <input type="hidden" name="id" value={renamed.id} />}
        <InputField
          name="name"
          label="Name"
          hint={
            renamed
              ? `New name of "${renamed.name}".`
              : "Required. A view saves the filters, sorting and columns of the list."
          }
          defaultValue={answer?.name ?? renamed?.name ?? ""}
          error={!isUnanswered && answer?.error}
        />
        <DialogActions>
          {answer?.status === statusOfReason.conflict && !renamed && (
            <Button name="intent" value="replace" variant="primary">
              Replace view
            </Button>
          )}
          <SubmitButton
            name="intent"
            value={renamed ? "rename" : "save"}
            isPending={isPending}
            pendingLabel="Saving..."
            variant={answer?.status === statusOfReason.conflict ? "default" : "primary"}
          >
            {renamed ? "Rename view" : "Save view"}
          </SubmitButton>
          <DialogCancel to={closeTo}>Close</DialogCancel>
        </DialogActions>
      </Form>
    </DialogRoute>
  );
}

type ViewItemProps = {
  view: { id: string; name: string; parameters: string; isDefault: boolean };
  listSearch: string;
};

function ViewItem({ view: { id, name, parameters, isDefault }, listSearch }: ViewItemProps) {
  const rename = new URLSearchParams(listSearch);
  rename.set(renameParam, id);
  const of = <span className={visuallyHidden}> {name}</span>;
  return (
    <li className={css.view}>
      <Link to={`${paths.qrList}?${parameters || "page=1"}`} replace className={css.name}>
        {name}
      </Link>
      <Form method="post" replace preventScrollReset className={actions}>
        <input type="hidden" name="id" value={id} />
        <ButtonLink to={`${paths.savedViews}?${rename}`} replace size="small">
          Rename{of}
        </ButtonLink>
        <Button name="intent" value={isDefault ? "no-default" : "default"} size="small">
          {isDefault ? "Don't use as default" : "Use as default"}
          {of}
        </Button>
        <Button name="intent" value="delete" size="small">
          Delete{of}
        </Button>
      </Form>
    </li>
  );
}
