// Without script: a form of buttons for each view, and one field for a name.
import { Form, Link, useActionData, useLoaderData, useSearchParams } from "@remix-run/react";
import { useState } from "react";
import { statusOfReason } from "../../errors";
import type { SavedView } from "../../features/promotions/list/saved-view";
import { noAnswerMessage } from "../../forms/network-errors";
import { dialogSearch, undoIntent } from "../../lists/list-params";
import { paths } from "../../paths";
import { FailureNote, useRefusedField } from "../../ui/feedback/message-block";
import { Button, ButtonLink, SubmitButton } from "../../ui/form/button";
import { InputField } from "../../ui/form/field";
import { IdempotencyKey } from "../../ui/form/idempotency-key";
import { useLastMessage } from "../../ui/form/last-message";
import { Icon } from "../../ui/icon/icon";
import { actions, entries, parts, summary } from "../../ui/layout/layout.css";
import { FactList } from "../../ui/layout/page";
import { useIsSending } from "../../ui/overlay/close-guard";
import { DialogActions, DialogCancel, DialogRoute } from "../../ui/overlay/dialog-route";
import { note, visuallyHidden } from "#styles/global.css";
import type { action, loader } from "./route";
import * as css from "./views.css";

/** Id of the view that the dialog changes. */
export const editParam = "edit";
/** Id of the view whose deletion a message offers to undo. */
export const undoParam = "undo";

/** The name that 'Replace view' is about. */
export const takenField = "taken";

/** Lists all views and saves the list as one; or changes one of them. */
export function SavedViews() {
  const { views, deleted } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const [params] = useSearchParams();
  const isPending = useIsSending();
  const listSearch = dialogSearch(params);
  const closeTo = `${paths.qrList}${listSearch || "?page=1"}`;
  const editedId = params.get(editParam);
  const edited = views.find(({ id, isEditable }) => isEditable && id === editedId);
  const isAboutName = answer?.isAboutName && answer.error !== noAnswerMessage;
  const isConflict = answer?.status === statusOfReason.conflict;
  const isTaken = !edited && isConflict && isAboutName;
  useRefusedField("name", answer, Boolean(isAboutName && answer?.error));
  return (
    <DialogRoute
      title={edited ? "Edit view" : "Saved views"}
      closeTo={closeTo}
      returnFocusTo="saved-views"
    >
      {edited ? (
        <>
          {isConflict && <FactList facts={[["Current name", edited.name]]} />}
          <ViewActions view={edited} />
        </>
      ) : (
        views.length > 0 && (
          <ul className={entries}>
            {views.map((view) => (
              <ViewItem key={view.id} view={view} listSearch={listSearch} />
            ))}
          </ul>
        )
      )}
      {!edited && deleted.length > 0 && (
        <details>
          <summary className={summary}>
            <Icon name="chevron-down" size="small" /> Recently deleted
          </summary>
          <ul className={entries}>
            {deleted.map((view) => (
              <DeletedView key={view.id} view={view} />
            ))}
          </ul>
        </details>
      )}
      <FailureNote isPending={isPending}>
        {answer?.firstAttempt ? (
          <>
            {answer.error}{" "}
            <Link to={answer.firstAttempt.href} replace>
              {answer.firstAttempt.message}
            </Link>
          </>
        ) : (
          !isAboutName && answer?.error
        )}
      </FailureNote>
      <Form
        key={edited?.id}
        method="post"
        replace
        preventScrollReset
        className={parts}
        aria-label={edited ? `Rename ${edited.name}` : "Save view"}
      >
        <IdempotencyKey suffix={edited ? `rename-${edited.id}` : "save"} />
        {edited && (
          <>
            <input type="hidden" name="id" value={edited.id} />
            <NameVersion current={edited.version} isConflict={isConflict} />
          </>
        )}
        <InputField
          name="name"
          label="Name"
          hint={!edited && "Required. A view saves the filters, sorting and columns of the list."}
          defaultValue={answer?.name ?? edited?.name ?? ""}
          error={isAboutName && answer?.error}
        />
        <DialogActions>
          {isTaken && (
            <>
              <input type="hidden" name={takenField} value={answer.name} />
              <Button name="intent" value="replace" variant="primary">
                Replace view
              </Button>
            </>
          )}
          <SubmitButton
            name="intent"
            value={edited ? "rename" : "save"}
            isPending={isPending}
            pendingLabel="Saving..."
            variant={isTaken ? "default" : "primary"}
          >
            {edited ? "Rename view" : "Save view"}
          </SubmitButton>
          <DialogCancel to={closeTo}>Close</DialogCancel>
        </DialogActions>
      </Form>
    </DialogRoute>
  );
}

/** The version whose name was shown when the dialog was opened, or by a conflict since: other buttons read the view again. */
function NameVersion({ current, isConflict }: { current: number; isConflict: boolean }) {
  const [shown] = useState(current);
  return <input type="hidden" name="version" value={isConflict ? current : shown} />;
}

type ViewItemProps = { view: SavedView; listSearch: string };

function ViewItem({ view, listSearch }: ViewItemProps) {
  const { id, name, parameters, isShared, isDefault, sharedBy, isEditable } = view;
  const notes = [
    isShared && (sharedBy ? `Shared by ${sharedBy}` : "Shared"),
    isDefault && "Default",
  ];
  const of = <span className={visuallyHidden}> {name}</span>;
  return (
    <li className={css.view}>
      <span className={css.name}>
        <Link to={`${paths.qrList}?${parameters || "page=1"}`} replace>
          {name}
        </Link>{" "}
        <span className={note}>{notes.filter(Boolean).join(" · ")}</span>
      </span>
      {isEditable && (
        <Form method="post" replace preventScrollReset className={actions}>
          <IdempotencyKey suffix={`view-${id}`} />
          <input type="hidden" name="id" value={id} />
          <ButtonLink
            to={`${paths.savedView(id)}${listSearch.replace("?", "&")}`}
            replace
            size="small"
          >
            Edit{of}
          </ButtonLink>
          <Button name="intent" value="delete" size="small">
            Delete{of}
          </Button>
        </Form>
      )}
    </li>
  );
}

function ViewActions({
  view: { id, isShared, isDefault, sharedBy, isOwned },
}: {
  view: SavedView;
}) {
  const button = (intent: string, label: string) => (
    <Button name="intent" value={intent}>
      {label}
    </Button>
  );
  return (
    <Form method="post" replace preventScrollReset className={actions}>
      <IdempotencyKey key={useLastMessage()} suffix={`view-${id}`} />
      <input type="hidden" name="id" value={id} />
      {sharedBy === null &&
        (isDefault
          ? button("no-default", "Don't use as default")
          : button("default", "Use as default"))}
      {isOwned &&
        (isShared ? button("unshare", "Stop sharing") : button("share", "Share with colleagues"))}
      {button("delete", "Delete view")}
    </Form>
  );
}

function DeletedView({ view: { id, name } }: { view: Pick<SavedView, "id" | "name"> }) {
  return (
    <li className={css.view}>
      <span className={css.name}>{name}</span>
      <Form method="post" replace preventScrollReset>
        <IdempotencyKey suffix={`restore-${id}`} />
        <input type="hidden" name="id" value={id} />
        <Button name="intent" value={undoIntent} size="small">
          Restore<span className={visuallyHidden}> {name}</span>
        </Button>
      </Form>
    </li>
  );
}
