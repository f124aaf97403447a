import type { SerializeFrom } from "@remix-run/node";
import { Outlet, useLoaderData } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import { DomainError } from "../../errors";
import { keyValidator, toKeyView } from "../../features/integrations/integration";
import { NewSecret } from "../../features/integrations/new-secret";
import { getIntegration } from "../../features/integrations/integrations.server";
import { createKey } from "../../features/integrations/new-keys.server";
import { suggestMachines } from "../../features/machines/machines.server";
import { countUnrecorded } from "../../features/redemptions/attempt-counts.server";
import { describeUnrecorded } from "../../features/redemptions/refusal-list";
import { pageMeta } from "../../forms/page-meta";
import { defineList } from "../../lists/list";
import { parseList } from "../../lists/parse-list";
import { rerenderForm } from "../../forms/validator";
import { confirmed, formAction, formLoader, showOnce } from "../../http/form-action.server";
import { requireAdmin } from "../../http/guards.server";
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import { ButtonLink } from "../../ui/form/button";
import { useNewSecret } from "../../ui/form/new-secret";
import { parts } from "../../ui/layout/layout.css";
import { Page } from "../../ui/layout/page";
import { ListNotes } from "../../ui/table/list-notes";
import { KeyForm, KeyTable } from "./keys";

export const meta = pageMeta();

export const handle = { nameOf: ({ name }: { name: string }) => name };

const keyList = defineList({
  sorts: { state: "ascending" },
});

export type IntegrationPageData = SerializeFrom<typeof loader>;

/** Loads an integration with one page of its keys, those in use first; there are thousands at most. */
export const loader = formLoader(requireAdmin, async (args) => {
  const [{ id, name, keys }, machines] = await Promise.all([
    getIntegration(args.params.integrationId ?? ""),
    suggestMachines(),
  ]);
  const { query, errors } = parseList(keyList, new URL(args.request.url).searchParams);
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
    messages: Object.values(errors),
    isFallback: page !== query.page,
    machines,
    unrecorded: describeUnrecorded(await countUnrecorded(id)),
  };
});

export const action = formAction({
  guard: requireAdmin,
  validator: keyValidator,
  run: confirmed(async (key, post) => {
    try {
      const { secret } = await createKey(post.params.integrationId ?? "", key, post.options);
      return showOnce(
        { secret },
        "A key was created, but its secret was not shown. Revoke the key and create another.",
      );
    } catch (cause) {
      if (!(cause instanceof DomainError) || !cause.fields.machineSerial) throw cause;
      throw new DomainError(cause.reason, cause.message, { machine: cause.fields.machineSerial });
    }
  }),
});

export const clientAction = rerenderForm("Error creating key");

export default function IntegrationPage() {
  const page = useLoaderData<typeof loader>();
  const secret = useNewSecret("secret");
  return (
    <Page
      title={page.name}
      actions={
        <>
          <ButtonLink to={paths.testMode(page.id)}>Test mode</ButtonLink>
          <ButtonLink to={paths.transactionsOfIntegration(page.id)} icon="receipt">
            Transactions
          </ButtonLink>
        </>
      }
    >
      <Outlet />
      <ListNotes list={page} />
      <div className={parts}>
        {secret && <NewSecret key={secret} secret={secret} />}
        {page.unrecorded && (
          <MessageBlock kind="warning">
            {page.unrecorded} <a href={paths.refusals}>Show refused attempts</a>
          </MessageBlock>
        )}
        <KeyTable page={page} />
        <KeyForm page={page} />
      </div>
    </Page>
  );
}
