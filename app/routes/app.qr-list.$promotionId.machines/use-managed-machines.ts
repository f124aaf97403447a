import { useFetcher } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { shownPromotion } from "../../features/promotions/shown-promotions";
import { unansweredSentence } from "../../forms/unanswered";
import { paths } from "../../paths";
import { fieldNames } from "./dialog-actions";
import type { ManagedMachines } from "./manage.server";

/** Over the list the dialog opens without a request; its two lists follow. */
export type OpenedMachines = Pick<ManagedMachines, "id" | "name" | "code" | "isDeleted">;

type Failure = { failure: string };

/** The dialog came with its lists, and keeps getting them with the page. */
let isWithPage = false;

/** What the route's loader answers, in the browser. */
export async function readInBrowser(
  request: Request,
  id: string | undefined,
  fromServer: () => Promise<ManagedMachines>,
): Promise<ManagedMachines | OpenedMachines | Failure> {
  const isListRead = new URL(request.url).searchParams.has(fieldNames.search);
  const row = shownPromotion(id);
  if (row && !isListRead && !isWithPage) {
    const { id, name, code, status } = row;
    return { id, name, code, isDeleted: status === "deleted" };
  }
  try {
    return await fromServer();
  } catch (cause) {
    if (!isListRead) throw cause;
    return { failure: unansweredSentence(cause, "Failed to load machines") };
  }
}

/** @returns `machines` is null until they are there */
export function useManagedMachines(data: OpenedMachines | ManagedMachines) {
  const found = useFetcher<ManagedMachines | Failure>();
  const last = useRef<ManagedMachines | null>("assigned" in data ? data : null);
  if (found.data && "assigned" in found.data) last.current = found.data;
  else if ("assigned" in data && !found.data) last.current = data;

  const read = (search: string, ticked: readonly string[] = []) => {
    const query = new URLSearchParams({ [fieldNames.search]: search });
    for (const serialNumber of ticked) query.append(fieldNames.machines, serialNumber);
    found.load(`${paths.promotionMachines(data.id)}?${query}`);
  };

  useEffect(() => {
    isWithPage = "assigned" in data;
    if (!isWithPage) read("");
    return () => {
      isWithPage = false;
    };
    // Once, when it opens.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  return {
    machines: last.current,
    failure: found.data && "failure" in found.data ? found.data.failure : null,
    read,
  };
}
