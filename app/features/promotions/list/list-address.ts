import { paths } from "../../../paths";

/** The list as it was when one of its rows was acted on: the address of an action carries its query. */
export function listAddress(actionUrl: string): string {
  const params = new URL(actionUrl).searchParams;
  // The message that was shown then, and what Remix adds.
  for (const name of ["f", "_data"]) params.delete(name);
  return params.size > 0 ? `${paths.qrList}?${params}` : paths.qrList;
}
