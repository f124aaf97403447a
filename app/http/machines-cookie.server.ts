import {
  formatMachineSort,
  parseMachineList,
  defaultMachineList,
  type MachineListSettings,
} from "../features/machines/machine-list";
import { readCookie } from "./cookies";
import { setCookie } from "./preferences.server";

const name = "machines";

/** How this browser wants the list of machines where the address says nothing (rulings 1.6). */
export function readMachinesCookie(request: Request): MachineListSettings {
  const [per_page = "", sort = ""] = (readCookie(request, name) ?? "").split("~");
  const { query } = parseMachineList(new URLSearchParams({ per_page, sort }), defaultMachineList);
  return { perPage: query.perPage, sort: query.sort };
}

/** The header that remembers it; none where nothing changed. */
export function rememberingMachines(
  request: Request,
  changes: Partial<MachineListSettings>,
): Headers {
  const before = readMachinesCookie(request);
  const write = ({ perPage, sort }: MachineListSettings) => `${perPage}~${formatMachineSort(sort)}`;
  const value = write({ ...before, ...changes });
  return new Headers(value === write(before) ? {} : { "Set-Cookie": setCookie(name, value) });
}
