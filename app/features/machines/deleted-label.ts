import { useRouteLoaderData } from "@remix-run/react";

/** Names what became of a machine that is marked as deleted: by the platform, or by an admin where there is none. */
export const deletedLabel = (hasPlatform: boolean) =>
  hasPlatform ? "Deleted from SmartVend" : "Deleted";

/** Returns the label on this site, which the shell knows. */
export function useDeletedLabel(): string {
  const shell = useRouteLoaderData("routes/app") as { hasPlatform: boolean } | undefined;
  return deletedLabel(shell?.hasPlatform ?? true);
}
