// Without script, and when its address is opened directly: a section of the page. After a click in the running app: a modal.
import { useActionData, useLocation, type ShouldRevalidateFunctionArgs } from "@remix-run/react";
import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from "react";
import { loadOnce } from "../connection/load-once";
import { ButtonLink, type ButtonLinkProps } from "../form/button";
import { useCloseGuard } from "./close-guard";
import { focusWhenReachable, isHydrated, registerOpenDialog } from "./focus";
import { formActions } from "../form/form.css";
import * as css from "./overlay.css";

const loadModal = loadOnce(() => import("../modal/route-modal"));

// Falls back to the section that is shown without scripts, so that a missing chunk does not block the task.
const RouteModal = lazy(() =>
  loadModal()
    .then((module) => ({ default: module.RouteModal }))
    .catch(() => ({ default: DialogSection })),
);

/** Loads the modal when a control that opens a dialog is pointed at or focused, so that the dialog opens without delay. */
export function preloadModal(): void {
  loadModal().catch(() => undefined);
}

export function DialogLink(props: ButtonLinkProps) {
  return <ButtonLink {...props} onFocus={preloadModal} onPointerEnter={preloadModal} />;
}

/**
 * Builds the `shouldRevalidate` of a screen with dialogs: opening one, paging in it or closing it
 * doesn't load the screen again.
 * @param keyOf returns the part of the URL that the screen depends on
 */
export function ignoreDialogs(keyOf: (url: URL) => string = ({ search }) => search) {
  return ({
    currentUrl,
    nextUrl,
    formMethod,
    defaultShouldRevalidate,
  }: ShouldRevalidateFunctionArgs) => {
    const isMove = keyOf(currentUrl) === keyOf(nextUrl) && currentUrl.href !== nextUrl.href;
    return isMove && !formMethod ? false : defaultShouldRevalidate;
  };
}

export type DialogProps = {
  title: string;
  /** Id of the element that says what will happen. */
  describedBy?: string;
  /** alertdialog for what can't be taken back. */
  role?: "dialog" | "alertdialog";
  size?: "medium" | "wide";
  /** The address of the parent screen, its query string included. */
  closeTo: string;
  children: ReactNode;
};

/** A dialog that is a child route of its screen. `returnFocusTo` is the id of the control that led here, where that is no link to it. */
export function DialogRoute({
  returnFocusTo,
  ...dialog
}: DialogProps & { returnFocusTo?: string }) {
  const [isModal] = useState(isHydrated);
  const { pathname } = useLocation();

  useEffect(() => {
    if (!isModal) return;
    const noteClosed = registerOpenDialog();
    return () => {
      noteClosed();
      focusWhenReachable(returnFocusTo ?? pathname);
    };
  }, [isModal, pathname, returnFocusTo]);

  if (!isModal) return <DialogSection {...dialog} />;
  return (
    <Suspense fallback={<div className={css.scrim} />}>
      <RouteModal {...dialog} />
    </Suspense>
  );
}

function DialogSection({ title, children }: DialogProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // The errors or the secret of an answer are focused instead: the browser takes the first of a page.
  const isAnswer = useActionData() !== undefined;

  // Needed only where the modal could not be loaded: the browser focuses the dialog of a document.
  useEffect(() => {
    if (isHydrated()) heading.current?.focus();
  }, []);

  return (
    <section aria-labelledby="dialog-title" className={css.section}>
      {/* eslint-disable-next-line jsx-a11y/no-autofocus -- the reader asked for this part of the page by its address */}
      <h2 ref={heading} id="dialog-title" tabIndex={-1} autoFocus={!isAnswer}>
        {title}
      </h2>
      {children}
    </section>
  );
}

/** The verb first, then `DialogCancel`, which leaves no entry of the dialog in the history: Back never opens it again. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={formActions}>{children}</div>;
}

export function DialogCancel({ to, children = "Cancel" }: { to: string; children?: string }) {
  return (
    <ButtonLink to={to} replace preventScrollReset data-least-destructive="" {...useCloseGuard(to)}>
      {children}
    </ButtonLink>
  );
}
