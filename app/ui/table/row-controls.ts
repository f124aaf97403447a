/**
 * Scripts for the controls in the rows of a table. Without script: links are links, and each control is a stop of Tab.
 */
import { useNavigate } from "@remix-run/react";
import { useEffect, type MouseEvent, type RefObject } from "react";
import { isHydrated } from "../overlay/focus";
import { isPlainClick } from "../plain-click";
import { rowActions } from "./row-actions.css";

/** Groups of controls that are one stop of Tab each. */
const oneStop = `.${rowActions}, thead tr`;

/** Names a group by what its row is about; without scripts there is nothing to say about it. */
function nameToolbar(toolbar: Element): void {
  const row = toolbar.closest("tbody tr");
  if (!row) return;
  toolbar.role = "toolbar";
  toolbar.ariaLabel = `Actions of ${row.querySelector("code, th")?.textContent}`;
}

/**
 * Makes the actions of each row one stop of Tab, and the orders in the header another, with arrow keys
 * inside: 25 rows have 100 actions. Without scripts each is a stop.
 */
export function useActionToolbars(region: RefObject<HTMLElement>): void {
  const controlsOf = (toolbar: Element) =>
    [...toolbar.querySelectorAll<HTMLElement>("a, button:not(:disabled), input")].filter(
      (control) => control.checkVisibility(),
    );
  const makeStop = (controls: readonly HTMLElement[], stop: Element | undefined) => {
    for (const control of controls) control.tabIndex = control === stop ? 0 : -1;
  };

  // After each change of the rows: controls come and go. All are read before the first is changed, or the browser would
  // style the page once for each row.
  useEffect(() => {
    const toolbars = [...(region.current?.querySelectorAll(oneStop) ?? [])];
    const groups = toolbars.map((toolbar) => [toolbar, controlsOf(toolbar)] as const);
    for (const [toolbar, controls] of groups) {
      const stop = controls.find((control) => control.getAttribute("tabindex") === "0");
      nameToolbar(toolbar);
      makeStop(controls, stop ?? controls[0]);
    }
  });

  useEffect(() => {
    const element = region.current;
    const moveFocus = (event: KeyboardEvent) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      // Alt and an arrow are Back and Forward of the browser.
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      const toolbar = event.target instanceof Element && event.target.closest(oneStop);
      if (!step || !toolbar) return;
      const controls = controlsOf(toolbar);
      const at = controls.indexOf(event.target as HTMLElement);
      if (at < 0) return;
      event.preventDefault();
      const next = controls[(at + step + controls.length) % controls.length];
      makeStop(controls, next);
      next?.focus();
    };
    element?.addEventListener("keydown", moveFocus);
    return () => element?.removeEventListener("keydown", moveFocus);
  }, [region]);
}

/**
 * Moves the focus that a row had which is gone, or whose control is, to the row in its place, not to a control of it: a
 * second press would act on that. Where there is no row, the region gets the focus.
 */
export function useRowFocus(region: RefObject<HTMLElement>): void {
  // Read while the rows are rendered: once they have changed, the page itself has the focus.
  const row = isHydrated()
    ? document.activeElement?.closest<HTMLTableRowElement>("tbody tr")
    : null;
  const index = row && region.current?.contains(row) ? row.sectionRowIndex : -1;
  useEffect(() => {
    if (index < 0 || document.activeElement !== document.body) return;
    const next = region.current?.querySelectorAll<HTMLElement>("tbody tr")[index];
    if (next) next.tabIndex = -1;
    (next ?? region.current)?.focus();
  });
}

/**
 * Links in rows and headers are plain <a>, hundreds of which cost a small machine nothing; this makes a click
 * on one a client navigation. `data-document` marks those that leave the app: downloads.
 */
export function useTableLinks() {
  const navigate = useNavigate();
  return (event: MouseEvent<HTMLElement>) => {
    const link = (event.target as Element).closest("a");
    if (!link || !isPlainClick(event) || event.defaultPrevented || "document" in link.dataset)
      return;
    if (link.getAttribute("href")!.startsWith("#")) return;
    event.preventDefault();
    navigate(link.pathname + link.search + link.hash, { preventScrollReset: true });
  };
}
