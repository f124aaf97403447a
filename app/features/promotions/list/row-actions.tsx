// Without script: links to dialogs, and a form that deactivates.
import { useFetcher, useLoaderData, useLocation } from "@remix-run/react";
import { useId, useState, type FormEvent, type ReactNode } from "react";
import { idempotencyField } from "../../../forms/validator";
import { paths } from "../../../paths";
import { IconButton, IconRowLink } from "../../../ui/form/button";
import { error as errorStyle } from "../../../ui/form/form.css";
import type { IconName } from "../../../ui/icon/icon";
import * as css from "../../../ui/table/row-actions.css";
import type { PromotionStatus } from "../promotion";
import { deletedNote, statusLabels, type PromotionView } from "../promotion-view";

/**
 * The rows as they will be when the deactivations under way succeed. One that fails is no longer
 * under way, and its row shows again what it is.
 * @param submissions requests in flight, of whatever kind
 */
export function optimisticRows<Row extends { id: string; status: PromotionStatus }>(
  rows: readonly Row[],
  submissions: readonly { formAction?: string | undefined }[],
): readonly Row[] {
  const addresses = new Set(submissions.map(({ formAction }) => formAction?.split("?")[0]));
  const isDeactivating = ({ id }: Row) => addresses.has(paths.promotionDeactivation(id));
  if (!rows.some(isDeactivating)) return rows;
  return rows.map((row) =>
    isDeactivatable(row) && isDeactivating(row) ? { ...row, status: "inactive" } : row,
  );
}

function isDeactivatable({ status }: { status: PromotionStatus }): boolean {
  return status === "active" || status === "scheduled";
}

/** Tells rows of one name apart. */
export const rowLabel = ({ name, code }: PromotionView) => `${name}, ${code}`;

type RowActionsProps = {
  row: PromotionView;
  /** The query string of the list, to which the actions return. */
  search: string;
};

/** Leads to the confirmation of a bulk action on one code, or on all codes of a mass generation. */
function bulkPath(
  action: string,
  { id, massGenerationId, isGeneration }: PromotionView,
  search: string,
) {
  const params = new URLSearchParams(search);
  params.set("intent", action);
  params.set("ids", isGeneration ? `g${massGenerationId}` : id);
  return `${paths.bulk}?${params}`;
}

/** Addresses of a row's actions: dialogs over the list, or over the page of a mass generation. */
function actionPaths(row: PromotionView, search: string) {
  const { id, massGenerationId, isGeneration } = row;
  const reactivate = bulkPath("reactivate", row, search);
  if (!isGeneration)
    return {
      reactivate,
      machines: paths.promotionMachines(id) + search,
      download: paths.qrCode(id) + search,
      delete: paths.promotionDeletion(id) + search,
      restore: paths.promotionRestoring(id) + search,
    };
  return {
    reactivate,
    machines: paths.generationMachines(massGenerationId!),
    download: paths.generationArchive(massGenerationId!),
    delete: paths.generationDeletion(massGenerationId!),
    restore: paths.generationRestoring(massGenerationId!),
  };
}

/** Actions on one row of the list; only admins restore and reactivate. */
export function RowActions({ row, search, isAdmin }: RowActionsProps & { isAdmin: boolean }) {
  const { status, isGeneration } = row;
  const label = rowLabel(row);
  const to = actionPaths(row, search);
  const link = (action: keyof typeof to, icon: IconName, verb: string) => (
    <IconRowLink
      icon={icon}
      label={`${verb} ${label}`}
      href={to[action]}
      data-document={(isGeneration && action === "download") || undefined}
    />
  );
  return (
    <div className={css.rowActions}>
      {isAdmin && status === "inactive" && link("reactivate", "restore", "Reactivate")}
      {link("machines", "machine", "Machines of")}
      {link(
        "download",
        "download",
        isGeneration ? "Download the codes of" : "Download the QR code of",
      )}
      {status === "deleted" ? (
        <>
          <Unavailable icon="trash" reason={deletedNote} />
          {isAdmin && link("restore", "restore", "Restore")}
        </>
      ) : (
        <>
          {isGeneration ? (
            <DeactivateLink row={row} search={search} />
          ) : (
            <DeactivateButton row={row} search={search} />
          )}
          {link("delete", "trash", "Delete")}
        </>
      )}
    </div>
  );
}

/** Leads to the confirmation for all codes of a mass generation. */
function DeactivateLink({ row, search }: RowActionsProps) {
  const label = rowLabel(row);
  if (isDeactivatable(row)) {
    const href = bulkPath("deactivate", row, search);
    return <IconRowLink icon="power" label={`Deactivate ${label}`} href={href} />;
  }
  return <Unavailable icon="power" reason={whyNot(label, row.status)} />;
}

/** Says in the place of an action why there is none. */
function Unavailable({ icon, reason }: { icon: IconName; reason: string }) {
  const [wasPressed, setWasPressed] = useState(false);
  const explain = () => setWasPressed(true);
  return (
    <>
      <IconButton icon={icon} label={reason} type="button" aria-disabled onClick={explain} />
      {wasPressed && <Reason>{reason}</Reason>}
    </>
  );
}

function DeactivateButton({ row, search }: RowActionsProps) {
  const { id, status, massGenerationId } = row;
  const { idempotencyKey } = useLoaderData<{ idempotencyKey: string }>();
  const label = rowLabel(row);
  const verb = massGenerationId === null ? "Deactivate" : "Deactivate only this code:";
  // Success leads to a new location; the fetcher of the old one keeps its error.
  const fetcher = useFetcher<{ error?: string }>({ key: `${useId()} ${useLocation().key}` });
  // Says why, where it was pressed in vain; null until the first press.
  const [reason, setReason] = useState<string | null>(null);
  const isPossible = isDeactivatable(row) && fetcher.state === "idle";
  // All rows have the key of the list as it was read.
  const key = `${search ? "&" : "?"}${idempotencyField}=${idempotencyKey}`;
  const action = `${paths.promotionDeactivation(id)}${search}${key}`;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!isPossible) return;
    setReason("");
    fetcher.submit(null, { method: "post", action, preventScrollReset: true });
  }

  const explain = () => setReason(whyNot(label, status));
  return (
    <form method="post" action={action} onSubmit={submit}>
      <IconButton
        icon="power"
        label={isPossible ? `${verb} ${label}` : whyNot(label, status)}
        // It keeps the focus that it has, and its label can be read with the keyboard.
        type={isPossible ? "submit" : "button"}
        aria-disabled={!isPossible || undefined}
        onClick={isPossible || fetcher.state !== "idle" ? undefined : explain}
      />
      {reason !== null && <Reason>{isPossible ? fetcher.data?.error : reason}</Reason>}
    </form>
  );
}

function Reason({ children }: { children: ReactNode }) {
  return (
    <span role="alert" className={errorStyle}>
      {children}
    </span>
  );
}

function whyNot(label: string, status: PromotionStatus): string {
  if (status === "inactive") return `${label} is already inactive`;
  return `${label} can't be deactivated: its status is ${statusLabels[status]}`;
}
