// Without script: links, facts, plain forms and a table whose pages are links.
import { Link, useLocation, useSearchParams } from "@remix-run/react";
import { Fragment, useEffect, type ReactNode } from "react";
import { codeList } from "../../features/mass-generations/mass-generation-view";
import { storeCurrentGeneration } from "../../features/mass-generations/current-generation";
import { EditForm, editFormId } from "../../features/promotions/form/edit-form";
import { LifecycleButton } from "../../features/promotions/lifecycle/lifecycle-button";
import { MaskedNote, useCanEdit } from "../../features/sign-in/viewer";
import { StatusBadge } from "../../features/promotions/status-badge";
import { formatNumber } from "../../format/number";
import { allCodes } from "../../format/promotion";
import { paths } from "../../paths";
import { CardSection, Figures, MoreMenu } from "../../ui/layout/detail";
import { ButtonLink } from "../../ui/form/button";
import { DownloadLink, useDownload, type Download } from "../../ui/form/download";
import { actions } from "../../ui/layout/layout.css";
import { FactList } from "../../ui/layout/page";
import { MenuLink } from "../../ui/overlay/details-menu";
import { DialogLink } from "../../ui/overlay/dialog-route";
import { ListTable } from "../../ui/list/list-table";
import { ListStatus } from "../../ui/table/pagination";
import { type Column } from "../../ui/table/table";
import { muted, visuallyHidden } from "#styles/global.css";
import { LostFormError } from "../../ui/validated-form/lost-form-error";
import * as css from "./generation-page.css";
import type { GenerationPageData } from "./route";

type PageProps = { page: GenerationPageData };

/**
 * Downloads the archive. After codes were generated, the download starts by itself, once: the address
 * that asks for it is replaced in the history, so that neither a reload nor Back starts it again.
 */
export function useArchive(generationId: string) {
  const download = useDownload("archive");
  const [params, setParams] = useSearchParams();
  const isNew = params.has("download");
  useEffect(() => {
    // Back can be pressed before this runs: its page would be replaced.
    if (!isNew || !new URLSearchParams(window.location.search).has("download")) return;
    void download.start(paths.generationArchive(generationId));
    setParams(
      (current) => {
        current.delete("download");
        return current;
      },
      { replace: true, preventScrollReset: true },
    );
    // Runs once for an address that asks for the download.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [isNew, generationId]);
  return download;
}

/** Actions of a mass generation, the main one first; only admins restore. */
export function GenerationActions({
  page: { isAdmin, generation, isMachineMissing, canDeactivate, canReactivate },
  download,
}: PageProps & { download: Download }) {
  const { id, status } = generation;
  const { search } = useLocation();
  const isDeleted = status === "deleted";
  useEffect(() => storeCurrentGeneration(generation), [generation]);
  const machines = (
    <DialogLink
      id="generation-machines"
      to={`${paths.generationMachines(id)}${search}`}
      variant={isMachineMissing ? "primary" : "default"}
    >
      {isMachineMissing ? "Assign machines" : "Machines"}
    </DialogLink>
  );
  return (
    <>
      {isMachineMissing && machines}
      {!isDeleted && (
        <DownloadLink
          to={paths.generationArchive(id)}
          variant={isMachineMissing ? "default" : "primary"}
          download={download}
        >
          Download archive
        </DownloadLink>
      )}
      {isDeleted && isAdmin && (
        <DialogLink id="retire" to={`${paths.generationRestoring(id)}${search}`} variant="primary">
          Restore
        </DialogLink>
      )}
      {!isMachineMissing && machines}
      {!isDeleted && <ButtonLink to={paths.labels(id)}>Labels</ButtonLink>}
      <MoreMenu {...(!isDeleted && { id: "retire" })}>
        {canReactivate && (
          <LifecycleButton key="on" intent="reactivate" isMenuItem>
            Reactivate
          </LifecycleButton>
        )}
        {canDeactivate && (
          <LifecycleButton key="off" intent="deactivate" isMenuItem>
            {`Deactivate ${allCodes(generation.numCodes)}`}
          </LifecycleButton>
        )}
        <MenuLink to={paths.duplicateGeneration(id)}>Duplicate</MenuLink>
        <MenuLink to={`${paths.generationCodes(id)}${isDeleted ? "&deleted=true" : ""}`}>
          Show in the QR List
        </MenuLink>
        <MenuLink to={paths.generations}>All campaigns</MenuLink>
        {!isDeleted && <MenuLink to={paths.addCodes(id)}>Add codes</MenuLink>}
        {!isDeleted && <MenuLink to={paths.generationCaps(id)}>Change caps</MenuLink>}
        {!isDeleted && <MenuLink to={`${paths.generationDeletion(id)}${search}`}>Delete</MenuLink>}
      </MoreMenu>
    </>
  );
}

/** Shows the numbers of codes by status, and how often they were used. */
export function Outcome({ page: { figures, generation } }: PageProps) {
  return (
    <CardSection title="Redemptions">
      <Figures figures={figures} />
      <p>
        {generation.byStatus.map(({ text, to }, index) => (
          <Fragment key={to}>
            {index > 0 && ", "}
            <Link to={to}>{text}</Link>
          </Fragment>
        ))}
      </p>
      <p className={actions}>
        <Link to={paths.transactionsOfGeneration(generation.id)}>All transactions</Link>
      </p>
    </CardSection>
  );
}

/** Codes that were added later, each time with files of them alone. */
export function AddedCodes({ page: { generation, added } }: PageProps) {
  if (added.length === 0) return null;
  return (
    <CardSection title="Added codes">
      <FactList
        facts={added.map(({ id, when, text }) => [
          when,
          <>
            {text}{" "}
            <a href={`${paths.generationArchive(generation.id)}?added=${id}`}>
              Download archive<span className={visuallyHidden}> of {when}</span>
            </a>
            {", "}
            <Link to={`${paths.labels(generation.id)}?added=${id}`}>
              Labels<span className={visuallyHidden}> of {when}</span>
            </Link>
          </>,
        ])}
      />
    </CardSection>
  );
}

/** Content of the archive, and everything that is printed with the codes. */
export function Facts({ page }: PageProps) {
  const { generation } = page;
  const isEditor = useCanEdit();
  return (
    <>
      <FactList
        facts={[
          ["Codes", formatNumber(generation.numCodes)],
          isEditor && ["Archive", `about ${page.archiveSize}`],
          ...Object.entries(generation.facts).map(([heading, text]): [string, ReactNode] => [
            heading,
            <>
              {text}
              {heading === "Expiration" && generation.ownExpirations && (
                <p className={muted}>{generation.ownExpirations}</p>
              )}
            </>,
          ]),
          ["Created", generation.created],
        ]}
      />
      {isEditor && page.edit ? (
        <>
          <p className={muted}>{generation.printed}</p>
          <EditForm
            facts={page.edit}
            name={generation.name}
            times={page.editTimes}
            version={page.version}
          />
        </>
      ) : (
        <LostFormError formId={editFormId} />
      )}
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
    <section>
      <ListStatus data={codes} noun="code" />
      <ListTable
        caption={`Codes of ${name}`}
        fits
        title="Codes"
        tools={<MaskedNote />}
        list={codeList}
        data={codes}
        columns={columns}
      />
    </section>
  );
}
