import { useFetcher, useFetchers, useLocation } from "@remix-run/react";
import { useEffect, useRef } from "react";
import {
  addIntent,
  fieldNames,
  listSearchOf,
  removedGroup,
  removedSerial,
  tickedIn,
  unassignAllIntent,
  type DialogAnswer,
  type DialogReply,
  type Ticked,
} from "./dialog-actions";
import type { PendingChange } from "./machine-lists";

/**
 * Where the dialog's form posts to.
 * @param path of the dialog, without a query string
 */
export function useDialogAddress(path: string): string {
  return `${path}${listSearchOf(useLocation().search)}`;
}

/** Sends one intent without leaving the page, and hands its answer over once. */
export function useDialogAction(address: string, onAnswer: (answer: DialogAnswer) => void) {
  const fetcher = useFetcher<DialogReply>();
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
    send(intent: string, { machines, groups }: Ticked = { machines: [], groups: [] }) {
      const form = new FormData();
      form.set("intent", intent);
      form.set(fieldNames.inPlace, "1");
      for (const serialNumber of machines) form.append(fieldNames.machines, serialNumber);
      for (const groupId of groups) form.append(fieldNames.groups, groupId);
      fetcher.submit(form, { method: "post", action: address });
    },
  };
}

/** Everything that this dialog has sent off and that is not answered yet. */
export function usePendingChange(path: string): PendingChange {
  const [added, removed] = [new Set<string>(), new Set<string>()];
  const [addedGroups, removedGroups] = [new Set<string>(), new Set<string>()];
  let isCleared = false;
  for (const { formAction, formData } of useFetchers()) {
    if (!formData || formAction?.split("?")[0] !== path) continue;
    const intent = String(formData.get("intent"));
    const serial = removedSerial(intent);
    const groupId = removedGroup(intent);
    if (serial !== null) removed.add(serial);
    if (groupId !== null) removedGroups.add(groupId);
    if (intent === unassignAllIntent) isCleared = true;
    if (intent !== addIntent) continue;
    const ticked = tickedIn(formData);
    for (const machine of ticked.machines) added.add(machine);
    for (const group of ticked.groups) addedGroups.add(group);
  }
  return { added, removed, addedGroups, removedGroups, isCleared };
}
