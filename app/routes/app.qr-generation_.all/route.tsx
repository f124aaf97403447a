import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import { parseGenerationList } from "../../features/mass-generations/generation-list";
import { listMassGenerations } from "../../features/mass-generations/list-mass-generations.server";
import { toGenerationView } from "../../features/mass-generations/mass-generation-view";
import { requireUser } from "../../http/guards.server";
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import { ButtonLink } from "../../ui/form/button";
import { notes } from "../../ui/layout/layout.css";
import { Page } from "../../ui/layout/page";
import { EmptyState } from "../../ui/table/empty-state";
import { GenerationTable } from "./generation-table";

export const meta: MetaFunction = () => [
  { title: "All generations - QR Generation - Promo Console" },
];

export async function loader(args: LoaderFunctionArgs) {
  await requireUser(args);
  const { query, problems } = parseGenerationList(new URL(args.request.url).searchParams);
  const { generations, total, page } = await listMassGenerations(query);
  if (page !== query.page) problems.push("That page has no rows: this is the nearest one");
  const timeZone = siteTimeZone();
  return json({
    rows: generations.map((row) => toGenerationView(row, row.used, timeZone)),
    total,
    query: { ...query, page },
    problems,
  });
}

export default function AllGenerations() {
  const list = useLoaderData<typeof loader>();
  return (
    <Page
      title="All generations"
      actions={
        <ButtonLink to={paths.massGeneration} variant="primary" icon="plus">
          New mass generation
        </ButtonLink>
      }
    >
      {list.problems.length > 0 && (
        <div className={notes}>
          <MessageBlock kind="warning">{`${list.problems.join(". ")}.`}</MessageBlock>
        </div>
      )}
      {list.total === 0 ? (
        <EmptyState
          icon="qr-generation"
          title="No mass generations yet"
          reason="Codes that are generated together appear here, with how many of them were used."
          action={<ButtonLink to={paths.massGeneration}>Generate codes</ButtonLink>}
        />
      ) : (
        <GenerationTable list={list} />
      )}
    </Page>
  );
}
