// Without script: never loaded; see dialog-route.tsx.
import { useLocation, useNavigate } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { Dialog } from "react-aria-components/Dialog";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import { goBackTo } from "../../remix/page-history";
import { isSendingFrom, useIsSending } from "./close-guard";
import type { DialogProps } from "./dialog-route";
import * as css from "./overlay.css";

export function RouteModal({
  title,
  describedBy,
  role = "dialog",
  size = "medium",
  closeTo,
  children,
}: DialogProps) {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const isSending = useIsSending();
  const body = useRef<HTMLDivElement>(null);

  // Before React Aria would focus the dialog as a whole: Enter must never delete by accident.
  useEffect(() => {
    if (role !== "alertdialog") return;
    body.current?.querySelector<HTMLElement>("[data-least-destructive]")?.focus();
  }, [role]);

  return (
    <ModalOverlay
      isOpen
      isDismissable={role === "dialog" && !isSending}
      onOpenChange={(isOpen) => {
        if (isOpen || isSendingFrom(pathname) || goBackTo(closeTo)) return;
        navigate(closeTo, { replace: true, preventScrollReset: true });
      }}
      className={css.scrim}
    >
      <Modal className={css.modal[size]}>
        <Dialog
          role={role}
          aria-labelledby="dialog-title"
          aria-describedby={describedBy}
          className={css.dialog}
        >
          <h2 id="dialog-title" className={css.dialogTitle}>
            {title}
          </h2>
          <div ref={body} className={css.dialogBody}>
            {children}
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
