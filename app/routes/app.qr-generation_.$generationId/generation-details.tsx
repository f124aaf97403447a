// Without script: links, facts and a table whose pages are links.
import { Link, useLocation, useSearchParams } from "@remix-run/react";
import { useEffect } from "react";
import { AssignedMachines } from "../../features/assignments/assigned-machines";
import {
  codeList,
  generationStatusLabels,
} from "../../features/mass-generations/mass-generation-view";
import { StatusBadge } from "../../features/promotions/status-badge";
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import { ButtonLink } from "../../ui/form/button";
import { DownloadLink, useDownload, type Download } from "../../ui/form/download";
import { figure } from "../../ui/layout/layout.css";
import { Card, FactList, Section } from "../../ui/layout/page";
import { DialogLink } from "../../ui/overlay/dialog-route";
import { ListTable, type Column } from "../../ui/table/table";
import { muted } from "#styles/global.css";
import * as css from "./generation-page.css";
import type { GenerationPageData } from "./route";

/**
 * Saving the archive. After generating it starts by itself, once: the address that asks for it
 * leaves the history, so that neither a reload nor Back starts it again.
 */
export function useArchive(generationId: string) {
  const download = useDownload({
    done: "Archive downloaded successfully",
    failed: "Error downloading archive",
  });
  const [params, setParams] = useSearchParams();
  const isNew = params.has("download");
  useEffect(() => {
    if (!isNew) return;
    void download.start(paths.generationArchive(generationId));
    setParams(
      (current) => {
        current.delete("download");
        return current;
      },
      { replace: true, preventScrollReset: true },
    );
    // Once, for the address that asks for it.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [isNew, generationId]);
  return download;
}

/** Actions of a mass generation; only admins restore. */
export function GenerationActions({
  page: { archiveSize, isAdmin, generation },
  download,
}: {
  page: GenerationPageData;
  download: Download;
}) {
  const { id, status } = generation;
  const { search } = useLocation();
  const isDeleted = status === "deleted";
  return (
    <>
      {!isDeleted && (
        <>
          <DownloadLink to={paths.generationArchive(id)} variant="primary" download={download}>
            {`Download archive, about ${archiveSize}`}
          </DownloadLink>
          <ButtonLink to={paths.labels(id)}>Labels</ButtonLink>
        </>
      )}
      <ButtonLink to={paths.duplicateGeneration(id)} icon="plus">
        Make another like this
      </ButtonLink>
      <ButtonLink
        to={`${paths.generationCodes(id)}${isDeleted ? "&deleted=true" : ""}`}
        icon="qr-list"
      >
        Show in the QR List
      </ButtonLink>
      <DialogLink
        id="generation-machines"
        to={`${paths.generationMachines(id)}${search}`}
        icon="machine"
      >
        Machines and groups
      </DialogLink>
      {!isDeleted && (
        <DialogLink id="retire" to={`${paths.generationDeletion(id)}${search}`} icon="trash">
          Delete
        </DialogLink>
      )}
      {isDeleted && isAdmin && (
        <ButtonLink id="retire" to={`${paths.generationRestoring(id)}${search}`} icon="restore">
          Restore
        </ButtonLink>
      )}
      <ButtonLink to={paths.generations} variant="quiet">
        All generations
      </ButtonLink>
    </>
  );
}

/** Facts about a mass generation: content, outcome, and the printed values that can't change. */
export function Facts({ page }: { page: GenerationPageData }) {
  const { generation, reason, assigned } = page;
  return (
    <>
      {generation.status === "deleted" && (
        <MessageBlock kind="warning">This mass generation is deleted. {reason}</MessageBlock>
      )}
      <dl className={css.figures}>
        {page.figures.map(({ name, value, note }) => (
          <Card key={name}>
            <dt className={muted}>{name}</dt>
            <dd className={figure}>
              {value} {note && <span className={css.note}>{note}</span>}
            </dd>
          </Card>
        ))}
      </dl>
      <Card>
        <FactList
          facts={[
            ["Status", `${generationStatusLabels[generation.status]}. ${reason}`],
            ["Codes by status", page.byStatus],
            [
              "Uses in all",
              <>
                {page.uses}.{" "}
                <Link to={paths.transactionsOfGeneration(generation.id)}>
                  Show the transactions
                </Link>
              </>,
            ],
            ["Discount", `${generation.discountType}, ${generation.discount}`],
            ["One-time", generation.oneTime],
            ["Renewable", generation.renews],
            ["Expiration", generation.validity],
            [
              "Created",
              `${generation.createdAt}${generation.createdBy ? ` by ${generation.createdBy}` : ""}`,
            ],
            ["Machines", <AssignedMachines key="machines" {...assigned} />],
          ]}
        />
      </Card>
    </>
  );
}

const columns: Column<GenerationPageData["codes"]["rows"][number]>[] = [
  {
    heading: "Code",
    isRowHeader: true,
    cell: ({ id, code }) => (
      <a href={paths.promotion(id)}>
        <code className={css.code}>{code}</code>
      </a>
    ),
  },
  { heading: "Status", isBadge: true, cell: ({ status }) => <StatusBadge status={status} /> },
  { heading: "Used", isNumber: true, cell: ({ used }) => used },
  { heading: "Uses left", isNumber: true, cell: ({ usesLeft }) => usesLeft },
];

export function CodesTable({ name, codes }: { name: string; codes: GenerationPageData["codes"] }) {
  return (
    <Section title="Codes">
      <ListTable caption={`Codes of ${name}`} fits list={codeList} data={codes} columns={columns} />
    </Section>
  );
}
