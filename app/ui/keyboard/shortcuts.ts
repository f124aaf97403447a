import { useNavigate } from "@remix-run/react";
import { useEffect } from "react";
import { paths } from "../../paths";

/** Actions of single keys while no field has the focus; the help page lists them. */
export const shortcuts = [
  { key: "?", label: "This help", to: paths.keyboard },
  { key: "l", label: "QR List", to: paths.qrList },
  { key: "n", label: "New code", to: paths.qrGeneration },
  { key: "m", label: "Machines", to: paths.machines },
  { key: "d", label: "Dashboard", to: paths.dashboard },
  { key: "c", label: "Check a code", to: paths.check },
  { key: "t", label: "Transactions", to: paths.transactions },
  { key: "b", label: "Selection bar of the QR List", to: "#bulk" },
] as const;

export function useShortcuts(isOn: boolean): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (!isOn) return;
    const follow = (event: KeyboardEvent) => {
      const shortcut = shortcuts.find(({ key }) => key === event.key);
      const isModified = event.ctrlKey || event.metaKey || event.altKey;
      const { target } = event;
      const isTyping =
        target instanceof Element &&
        target.closest("input:not([type=checkbox]), select, textarea, [role=dialog]");
      if (!shortcut || isModified || isTyping || event.defaultPrevented) return;
      if (shortcut.to.startsWith("#")) {
        document.querySelector<HTMLElement>(shortcut.to)?.focus();
        return;
      }
      event.preventDefault();
      navigate(shortcut.to);
    };
    document.addEventListener("keydown", follow);
    return () => document.removeEventListener("keydown", follow);
  }, [isOn, navigate]);
}
