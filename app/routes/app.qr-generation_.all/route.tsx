import type { SerializeFrom } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import {
  generationList,
  toGenerationView,
  type GenerationView,
} from "../../features/mass-generations/mass-generation-view";
import { listMassGenerations } from "../../features/mass-generations/list-mass-generations.server";
import { StatusBadge } from "../../features/promotions/status-badge";
import { formMeta } from "../../forms/form-meta";
import { formatNumber } from "../../format/number";
import { screenLoader } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { listView, readList } from "../../http/list.server";
import { paths } from "../../paths";
import { ButtonLink } from "../../ui/form/button";
import { Page } from "../../ui/layout/page";
import { EmptyState, ListNotes } from "../../ui/table/list-notes";
import { ListTable, type Column } from "../../ui/table/table";
import { muted, note } from "#styles/global.css";

export const meta = formMeta("All generations - QR Generation");

export const loader = screenLoader(requireUser, async (args) => {
  const list = readList(args.request, generationList);
  const { generations, total, page } = await listMassGenerations(list.query);
  const timeZone = siteTimeZone();
  return {
    ...listView(generationList, list),
    rows: generations.map((row) => toGenerationView(row, timeZone)),
    total,
    page,
    isFallback: page !== list.query.page,
  };
});

const columns: Column<SerializeFrom<GenerationView>>[] = [
  {
    heading: "Name",
    sort: "name",
    isRowHeader: true,
    cell: ({ id, name }) => <a href={paths.generation(id)}>{name}</a>,
  },
  { heading: "Created", sort: "created", cell: ({ created }) => created },
  { heading: "Created by", cell: ({ createdBy }) => createdBy ?? "Unknown" },
  { heading: "Discount", cell: ({ discount }) => discount },
  {
    heading: "Codes",
    sort: "codes",
    isNumber: true,
    cell: ({ numCodes }) => formatNumber(numCodes),
  },
  {
    heading: "Used",
    isNumber: true,
    cell: ({ used, usedShare }) => (
      <>
        {used} <span className={muted}>({usedShare})</span>
      </>
    ),
  },
  {
    heading: "Status",
    isBadge: true,
    cell: ({ status, byStatus }) => (
      <>
        <StatusBadge status={status} />
        {byStatus.length > 1 && (
          <p className={note}>{byStatus.map(({ text }) => text).join(", ")}</p>
        )}
      </>
    ),
  },
];

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
      <ListNotes list={list} />
      {list.total === 0 ? (
        <EmptyState
          icon="qr-generation"
          title="No mass generations yet"
          reason="Codes that are generated together appear here, with the number of used ones."
          action={<ButtonLink to={paths.massGeneration}>Generate codes</ButtonLink>}
        />
      ) : (
        <ListTable caption="Mass generations" list={generationList} data={list} columns={columns} />
      )}
    </Page>
  );
}
