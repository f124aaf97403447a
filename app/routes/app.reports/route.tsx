import { useLoaderData } from "@remix-run/react";
import { SerialSuggestions } from "../../features/machines/serial-suggestions";
import { reportList } from "../../features/reports/report-filters";
import { pageMeta } from "../../forms/page-meta";
import { fromReplica, screenLoader } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import { ButtonLink } from "../../ui/form/button";
import { Figures } from "../../ui/layout/detail";
import { onPaper, parts } from "../../ui/layout/layout.css";
import { Card, LinkTabs, Page } from "../../ui/layout/page";
import { FilterBar } from "../../ui/list/filter-bar";
import { ListNotes } from "../../ui/table/list-notes";
import { ReportCards } from "./report-cards";
import { loadReport } from "./report-screen.server";
import { ResultsTable } from "./results-table";

export const meta = pageMeta();

export const loader = screenLoader(requireUser, fromReplica(loadReport));

export default function Reports() {
  const data = useLoaderData<typeof loader>();
  return (
    <Page
      title="Reports"
      beside={data.days}
      actions={
        <>
          <ButtonLink to={data.csv} reloadDocument icon="download">
            Export CSV
          </ButtonLink>
          {data.canMail && <ButtonLink to={paths.reportSchedules}>Reports by mail</ButtonLink>}
        </>
      }
    >
      <ListNotes list={data}>
        {data.missing && <MessageBlock kind="info">{data.missing}</MessageBlock>}
      </ListNotes>
      <p className={onPaper}>{data.printNote}</p>
      <LinkTabs label="Period" tabs={data.periods} />
      <FilterBar
        list={reportList}
        data={data}
        options={{ group: data.groups }}
        suggestions={data.machines.length > 0 ? { machine: "machines" } : {}}
      >
        <SerialSuggestions id="machines" machines={data.machines} />
      </FilterBar>
      <div className={parts}>
        <Card>
          <Figures figures={data.figures} />
        </Card>
        <section>
          <LinkTabs label="Results by" tabs={data.tabs} />
          <ResultsTable data={data} />
        </section>
        <ReportCards data={data} />
      </div>
    </Page>
  );
}
