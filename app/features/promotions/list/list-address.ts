import { pageSearch } from "../../../forms/list";
import { paths } from "../../../paths";

/** Returns the URL of the list that an action on one of its rows came from, whose query it carries. */
export function listAddress(actionUrl: string): string {
  return paths.qrList + pageSearch(new URL(actionUrl).searchParams);
}
