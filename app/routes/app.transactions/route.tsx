import {
  json,
  type LoaderFunctionArgs,
  type MetaFunction,
  type SerializeFrom,
} from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { visuallyHidden } from "#styles/global.css";
import { formatCount } from "../../format/number";
import { screenRoute } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { paths } from "../../paths";
import { ButtonLink } from "../../ui/form/button";
import { Page } from "../../ui/layout/page";
import { TransactionFilterBar } from "./filter-fields";
import { ListNotes, NoRows } from "./list-notes";
import { readTransactionScreen } from "./list-screen.server";
import { TransactionTable } from "./transaction-table";

export type TransactionListData = SerializeFrom<typeof loader>;

export const handle = { hasTable: ({ rows }: TransactionListData) => rows.length > 0 };

export const meta: MetaFunction = () => [{ title: "Transactions - Promo Console" }];

export const loader = screenRoute(async (args: LoaderFunctionArgs) => {
  await requireUser(args);
  const { data, headers } = await readTransactionScreen(args.request);
  return json(data, { headers });
});

export default function Transactions() {
  const list = useLoaderData<typeof loader>();
  const { count, isCapped } = list.total;
  return (
    <Page
      title="Transactions"
      actions={
        <ButtonLink
          to={`${paths.transactionsCsv}?${new URLSearchParams(list.filters as [string, string][])}`}
          reloadDocument
          icon="download"
        >
          Export CSV
        </ButtonLink>
      }
    >
      <ListNotes list={list} />
      <TransactionFilterBar list={list} />
      <p role="status" className={visuallyHidden}>
        {`${formatCount(list.total)} ${count === 1 && !isCapped ? "transaction" : "transactions"}`}
      </p>
      {list.rows.length === 0 ? <NoRows list={list} /> : <TransactionTable list={list} />}
    </Page>
  );
}
