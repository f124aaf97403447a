// Without script: links.
import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import type { PromotionView } from "../../features/promotions/promotion-view";
import { formatCodes } from "../../format/promotion";
import { paths } from "../../paths";
import { DownloadLink, DownloadOutcome, useDownload } from "../../ui/form/download";
import { DialogActions } from "../../ui/overlay/dialog-route";

type ArchiveOptionProps = {
  promotion: Pick<PromotionView, "name" | "status" | "massGenerationId" | "numberOfCodes">;
  /** The way out of the dialog. */
  close: ReactNode;
};

/** Offers the archive of the whole mass generation for one of its codes. */
export function ArchiveOption({ promotion, close }: ArchiveOptionProps) {
  const { name, status } = promotion;
  const generationId = promotion.massGenerationId!;
  const archive = useDownload({
    done: "Archive downloaded successfully",
    failed: "Error downloading archive",
  });
  const isDeleted = status === "deleted";
  const codes = (
    <Link to={paths.generation(generationId)}>{formatCodes(promotion.numberOfCodes!)}</Link>
  );
  return (
    <>
      <h3>Download Archive</h3>
      {isDeleted ? (
        <p>The mass generation of {codes} is deleted. Restore it to download its archive.</p>
      ) : (
        <p>
          All {codes} of ‘{name}’ as images in one ZIP file.
        </p>
      )}
      <DialogActions>
        {!isDeleted && (
          <DownloadLink to={paths.generationArchive(generationId)} download={archive}>
            Download Archive
          </DownloadLink>
        )}
        {close}
      </DialogActions>
      <DownloadOutcome download={archive} />
    </>
  );
}
