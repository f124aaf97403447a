import { useRouteLoaderData } from "@remix-run/react";

/** Names what became of a machine that is marked as deleted: by the platform, or by an admin where there is none. */
export const deletedLabel = (hasPlatform: boolean) =>
  hasPlatform ? "Deleted from SmartVend" : "Deleted";

/** Whether a vending platform lists the machines of this site, which the shell knows. */
export function useHasPlatform(): boolean {
  const shell = useRouteLoaderData("routes/app") as { hasPlatform: boolean } | undefined;
  return shell?.hasPlatform ?? true;
}

/** Returns the label on this site. */
export const useDeletedLabel = () => deletedLabel(useHasPlatform());
