import { useNavigate } from "@remix-run/react";
import { useEffect } from "react";
import { paths } from "../../paths";

type Shortcut = {
  key: string;
  label: string;
  /** A path, or the id of an element behind '#'. */
  to: string;
  /** Viewers may not open it. */
  isForEditors?: boolean;
};

/** Actions of keys, single ones only while no field has the focus but the box of a row; the help page lists them. */
const shortcuts: readonly Shortcut[] = [
  { key: "/", label: "Search everything", to: "#search-everything" },
  { key: "Ctrl + k", label: "Search everything, from a field too", to: "#search-everything" },
  { key: "?", label: "This help", to: paths.keyboard },
  { key: "l", label: "QR List", to: paths.qrList },
  { key: "n", label: "New code", to: paths.qrGeneration, isForEditors: true },
  { key: "m", label: "Machines", to: paths.machines },
  { key: "d", label: "Dashboard", to: paths.dashboard },
  { key: "c", label: "Check a code", to: paths.check },
  { key: "t", label: "Transactions", to: paths.transactions },
  { key: "b", label: "Selection bar of the QR List", to: "#bulk", isForEditors: true },
];

export function shortcutsFor(isEditor: boolean): readonly Shortcut[] {
  return shortcuts.filter(({ isForEditors }) => isEditor || !isForEditors);
}

export function useShortcuts(isOn: boolean, isEditor: boolean): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (!isOn) return;
    const follow = (event: KeyboardEvent) => {
      const isModified = event.ctrlKey || event.metaKey;
      const pressed = (isModified ? "Ctrl + " : "") + event.key;
      const shortcut = shortcutsFor(isEditor).find(({ key }) => key === pressed);
      const { target } = event;
      const fields = isModified ? "" : "input:not(table [type=checkbox]), select, textarea, ";
      const isBusy = target instanceof Element && target.closest(`${fields}[role$=dialog]`);
      if (!shortcut || event.altKey || isBusy || event.defaultPrevented) return;
      event.preventDefault();
      if (!shortcut.to.startsWith("#")) return navigate(shortcut.to);
      const element = document.querySelector<HTMLElement>(shortcut.to);
      element?.focus();
      // Narrow windows have no room for the field.
      if (element?.id === "search-everything" && document.activeElement !== element)
        navigate(paths.search);
    };
    document.addEventListener("keydown", follow);
    return () => document.removeEventListener("keydown", follow);
  }, [isOn, isEditor, navigate]);
}
