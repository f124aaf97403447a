// Without script: never loaded; see dialog-route.tsx.
import { useLocation, useNavigate } from "@remix-run/react";
import { useEffect, useLayoutEffect, useRef } from "react";
import { Dialog } from "react-aria-components/Dialog";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import { goBackTo } from "../../remix/page-history";
import { isSendingFrom, useIsSending } from "../overlay/close-guard";
import type { DialogProps } from "../overlay/dialog-route";
import * as css from "../overlay/overlay.css";

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

  const close = () => {
    if (isSendingFrom(pathname) || goBackTo(closeTo)) return;
    navigate(closeTo, { replace: true, preventScrollReset: true });
  };

  // React Aria listens within the dialog only, which gets the focus a moment after it is shown.
  useLayoutEffect(() => {
    const closeOnEscape = ({ key, target }: KeyboardEvent) => {
      const isInside = (target as Element).closest("[role=dialog], [role=alertdialog]");
      if (key === "Escape" && !isInside) close();
    };
    document.addEventListener("keydown", closeOnEscape);
    return () => document.removeEventListener("keydown", closeOnEscape);
  });

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
        if (!isOpen) close();
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
          <h2 id="dialog-title">{title}</h2>
          <div ref={body} className={css.dialogBody}>
            {children}
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
