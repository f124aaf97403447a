import type { LoaderFunctionArgs } from "@remix-run/node";
import { siteTimeZone } from "../../db/site.server";
import { toKeyView } from "../../features/integrations/integration";
import { getIntegration } from "../../features/integrations/integrations.server";
import { suggestMachines } from "../../features/machines/list-machines.server";
import { defineList, parseList } from "../../forms/list";
import { newForm } from "../../http/form-action.server";
import type { Session } from "../../http/sessions.server";

const keyList = defineList({
  pageSizes: [10, 25, 50],
  sorts: { state: "ascending" },
  defaultSort: { by: "state", isDescending: false },
});

export type IntegrationPageData = Awaited<ReturnType<typeof readIntegrationPage>>;

/**
 * An integration with one page of its keys, those in use first; there are thousands at most.
 * @throws DomainError not_found
 */
export async function readIntegrationPage(args: LoaderFunctionArgs, session: Session) {
  const [{ id, name, keys }, machines] = await Promise.all([
    getIntegration(args.params.integrationId ?? ""),
    suggestMachines(),
  ]);
  const { query } = parseList(keyList, new URL(args.request.url).searchParams);
  const { perPage } = query;
  const page = Math.min(query.page, Math.max(1, Math.ceil(keys.length / perPage)));
  const timeZone = siteTimeZone();
  return {
    id,
    name,
    keys: keys.slice((page - 1) * perPage, page * perPage).map((key) => toKeyView(key, timeZone)),
    total: keys.length,
    page,
    perPage,
    pageSizes: keyList.pageSizes,
    machines,
    needsPassword: !session.isPasswordRecent,
    ...newForm(args),
  };
}
