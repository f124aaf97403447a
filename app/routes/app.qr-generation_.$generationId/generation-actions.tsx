// Without script: links.
import { useLocation } from "@remix-run/react";
import type { GenerationView } from "../../features/mass-generations/mass-generation-view";
import { paths } from "../../paths";
import { ButtonLink } from "../../ui/form/button";
import { preloadModal } from "../../ui/overlay/dialog-route";
import { DownloadLink, type Download } from "../../ui/form/download";

type GenerationActionsProps = {
  page: { words: Pick<GenerationView, "id" | "status">; archiveSize: string; isAdmin: boolean };
  download: Download;
};

/** Actions of a mass generation; only admins restore. */
export function GenerationActions({
  page: { words, archiveSize, isAdmin },
  download,
}: GenerationActionsProps) {
  const { id, status } = words;
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
      <ButtonLink
        id="generation-machines"
        to={`${paths.generationMachines(id)}${search}`}
        icon="machine"
        onFocus={preloadModal}
        onPointerEnter={preloadModal}
      >
        Machines and groups
      </ButtonLink>
      {!isDeleted && (
        <ButtonLink
          id="retire"
          to={`${paths.generationDeletion(id)}${search}`}
          icon="trash"
          onFocus={preloadModal}
          onPointerEnter={preloadModal}
        >
          Delete
        </ButtonLink>
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
