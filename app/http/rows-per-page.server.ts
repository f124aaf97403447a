/** Rows per page of the lists, as the profile shows and `/preferences` saves them. */
import { machineList } from "../features/machines/machine-list";
import { promotionList } from "../features/promotions/list/promotion-filters";
import { transactionList } from "../features/transactions/transaction-filters";
import { readSettings, rememberList } from "./list.server";

/** Lists by the name of their form field. */
const lists = {
  rows_qr_list: { label: "QR List", list: promotionList },
  rows_machines: { label: "Machines", list: machineList },
  rows_transactions: { label: "Transactions", list: transactionList },
};

/** Returns the rows per page of each list in this browser, with the sizes to choose from. */
export function readAllRowsPerPage(request: Request) {
  return Object.entries(lists).map(([name, { label, list }]) => ({
    name,
    label,
    sizes: list.pageSizes,
    value: readSettings<string>(request, list).perPage,
  }));
}

/** Returns the cookies for the rows per page that were posted; sizes that a list doesn't have are ignored. */
export function rowsPerPageCookies(request: Request, posted: FormData): string[] {
  return Object.entries(lists).flatMap(([name, { list }]) => {
    const perPage = list.pageSizes.find((size) => String(size) === posted.get(name));
    return perPage === undefined ? [] : rememberList(request, list, { perPage }).getSetCookie();
  });
}
