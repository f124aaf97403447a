import { useFetcher } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { cachedPromotion } from "../../features/promotions/list/list-cache";
import { networkErrorMessage } from "../../forms/network-errors";
import { paths } from "../../paths";
import { fieldNames, type Ticked } from "../../features/promotions/manage-machines/dialog-actions";
import type { ManagedPromotion } from "./manage.server";

/** Over the list the dialog opens without a request; its two lists follow. */
export type OpenedMachines = Pick<ManagedPromotion, "id" | "name" | "code" | "isDeleted">;

type Failure = { failure: string };

/** The dialog came with its lists, and keeps getting them with the page. */
let isWithPage = false;

/** What the route's loader answers, in the browser. */
export async function readInBrowser(
  request: Request,
  id: string | undefined,
  fromServer: () => Promise<ManagedPromotion>,
): Promise<ManagedPromotion | OpenedMachines | Failure> {
  const isListRead = new URL(request.url).searchParams.has(fieldNames.search);
  const row = cachedPromotion(id);
  if (row && !isListRead && !isWithPage) {
    const { id, name, code, status } = row;
    return { id, name, code, isDeleted: status === "deleted" };
  }
  try {
    return await fromServer();
  } catch (cause) {
    if (!isListRead) throw cause;
    return { failure: networkErrorMessage(cause, "Failed to load machines") };
  }
}

/** @returns `machines` is null until they are there */
export function useManagedMachines(data: OpenedMachines | ManagedPromotion) {
  const found = useFetcher<ManagedPromotion | Failure>();
  const last = useRef<ManagedPromotion | null>("assigned" in data ? data : null);
  if (found.data && "assigned" in found.data) last.current = found.data;
  else if ("assigned" in data && !found.data) last.current = data;

  const read = (search: string, ticked?: Ticked) => {
    const query = new URLSearchParams({ [fieldNames.search]: search });
    for (const serialNumber of ticked?.machines ?? [])
      query.append(fieldNames.machines, serialNumber);
    for (const groupId of ticked?.groups ?? []) query.append(fieldNames.groups, groupId);
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
