// Without script: links, and a form that deactivates and comes back to the list.
import { useFetcher, useRouteLoaderData } from "@remix-run/react";
import { useState, type FormEvent } from "react";
import type { PromotionStatus } from "../../features/promotions/promotion";
import { statusLabels, type PromotionView } from "../../features/promotions/promotion-view";
import { paths } from "../../paths";
import { IconButton, IconRowLink } from "../../ui/form/button";
import { error as errorStyle } from "../../ui/form/form.css";
import { Icon, type IconName } from "../../ui/icon/icon";
import * as table from "../../ui/table/table.css";
import { visuallyHidden } from "#styles/global.css";
import * as css from "./qr-list.css";

type RowActionsProps = {
  row: PromotionView;
  /** The query string of the list, to which the actions return. */
  search: string;
};

/** Actions on one promotion of the list; only admins restore. */
export function RowActions({ row, search }: RowActionsProps) {
  const { id, name, status } = row;
  const shell = useRouteLoaderData<{ user: { role: string } }>("routes/app");
  const link = (control: string, icon: IconName, label: string, path: string) => (
    <IconRowLink id={`${control}-${id}`} icon={icon} label={label} href={path + search} />
  );
  return (
    <div className={table.rowActions}>
      {link("machines", "machine", `Machines of ${name}`, paths.promotionMachines(id))}
      {link("download", "download", `Download the QR code of ${name}`, paths.qrCode(id))}
      {status === "deleted" ? (
        <>
          <span className={css.unavailable} title="This promotion is deleted">
            <Icon name="trash" />
            <span className={visuallyHidden}>This promotion is deleted</span>
          </span>
          {shell?.user.role === "admin" &&
            link("restore", "restore", `Restore ${name}`, paths.promotionRestoring(id))}
        </>
      ) : (
        <>
          <DeactivateButton row={row} search={search} />
          {link("delete", "trash", `Delete ${name}`, paths.promotionDeletion(id))}
        </>
      )}
    </div>
  );
}

function DeactivateButton({ row: { id, name, status }, search }: RowActionsProps) {
  const fetcher = useFetcher<{ error?: string }>();
  const [wasPressed, setWasPressed] = useState(false);
  const isPending = fetcher.state !== "idle";
  const isPossible = status === "active" && !isPending;
  const action = `${paths.promotionDeactivation(id)}${search}`;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!isPossible) return;
    setWasPressed(true);
    fetcher.submit(null, { method: "post", action, preventScrollReset: true });
  }

  return (
    <form method="post" action={action} onSubmit={submit}>
      <IconButton
        id={`deactivate-${id}`}
        icon="power"
        label={isPossible ? `Deactivate ${name}` : whyNot(name, status)}
        // The one that was pressed keeps the focus.
        disabled={!isPossible && !wasPressed}
        aria-disabled={!isPossible || undefined}
      />
      {wasPressed && (
        <span role="alert" className={errorStyle}>
          {!isPending && fetcher.data?.error}
        </span>
      )}
    </form>
  );
}

function whyNot(name: string, status: PromotionStatus): string {
  if (status === "inactive") return `${name} is inactive already`;
  return `${name} can't be deactivated: only an active promotion can, its status is ${statusLabels[status]}`;
}
