import { useFetcher, useFetchers, useLocation } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { paths } from "../../paths";
import {
  addIntent,
  fieldNames,
  listSearchOf,
  removedSerial,
  unassignAllIntent,
  type DialogAnswer,
} from "./dialog-actions";
import type { PendingChange } from "./machine-lists";
import type { action } from "./route";

/** Where the dialog's form posts to. */
export function useDialogAddress(id: string): string {
  return `${paths.promotionMachines(id)}${listSearchOf(useLocation().search)}`;
}

/** Sends one intent without leaving the page, and hands its answer over once. */
export function useDialogAction(address: string, onAnswer: (answer: DialogAnswer) => void) {
  const fetcher = useFetcher<typeof action>();
  const heard = useRef<unknown>(undefined);
  const { data } = fetcher;

  useEffect(() => {
    if (!data || data === heard.current) return;
    heard.current = data;
    if (data.answer) onAnswer(data.answer);
  }, [data, onAnswer]);

  return {
    isPending: fetcher.state !== "idle",
    intent: fetcher.formData?.get("intent"),
    send(intent: string, machines: readonly string[] = []) {
      const form = new FormData();
      form.set("intent", intent);
      form.set(fieldNames.inPlace, "1");
      for (const serialNumber of machines) form.append(fieldNames.machines, serialNumber);
      fetcher.submit(form, { method: "post", action: address });
    },
  };
}

/** Everything that this dialog has sent off and that is not answered yet. */
export function usePendingChange(id: string): PendingChange {
  const path = paths.promotionMachines(id);
  const [added, removed] = [new Set<string>(), new Set<string>()];
  let isCleared = false;
  for (const { formAction, formData } of useFetchers()) {
    if (!formData || formAction?.split("?")[0] !== path) continue;
    const intent = String(formData.get("intent"));
    const serial = removedSerial(intent);
    if (serial !== null) removed.add(serial);
    if (intent === unassignAllIntent) isCleared = true;
    if (intent === addIntent)
      for (const machine of formData.getAll(fieldNames.machines)) added.add(String(machine));
  }
  return { added, removed, isCleared };
}
