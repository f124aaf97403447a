// Without script: a section of the page, with the form of the machines.
import { useActionData, useLoaderData, useSearchParams } from "@remix-run/react";
import { muted } from "#styles/global.css";
import { MessageBlock, TryAgain } from "../../../ui/feedback/message-block";
import { DialogActions, DialogCancel, DialogRoute } from "../../../ui/overlay/dialog-route";
import { dialogSearch } from "../../../lists/list-params";
import { words } from "../target-picker.css";
import { type DialogData, type DialogReply, dialogViews } from "./machines-dialog";
import * as styles from "./machines-dialog.css";
import { ManageMachines } from "./manage-machines";
import { useDialogData } from "./use-dialog";

export function MachinesDialog({ owner }: { owner: keyof typeof dialogViews }) {
  const view = dialogViews[owner];
  const data = useLoaderData() as DialogData;
  const returned = useActionData<DialogReply>();
  const path = view.path(data.about.id);
  const { about, targets, failure, read, readAgain } = useDialogData(data, path);
  const closeTo = `${view.closeTo(about.id)}${dialogSearch(useSearchParams()[0])}`;
  return (
    <DialogRoute title="Manage Machines" size="wide" describedBy="dialog-about" closeTo={closeTo}>
      <div id="dialog-about" className={styles.about}>
        <p className={words}>
          <strong>{about.name}</strong> {about.code ? <code>{about.code}</code> : about.size}
        </p>
        {about.isDeleted && <p>{`This ${view.noun} is deleted. Its machines can't be changed.`}</p>}
        {about.note && <p className={muted}>{about.note}</p>}
      </div>
      {failure && (
        <div role="alert">
          <MessageBlock kind="error" action={<TryAgain onPress={readAgain} />}>
            {failure}
          </MessageBlock>
        </div>
      )}
      {targets && (
        <ManageMachines
          data={targets}
          isReadOnly={about.isDeleted}
          path={path}
          view={view}
          returned={returned}
          onSearch={read}
        />
      )}
      {!targets && !failure && <p role="status">Loading...</p>}
      <DialogActions>
        <DialogCancel to={closeTo}>Close</DialogCancel>
      </DialogActions>
    </DialogRoute>
  );
}
