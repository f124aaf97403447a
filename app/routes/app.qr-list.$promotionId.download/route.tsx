// Without script: links.
import type { SerializeFrom } from "@remix-run/node";
import { Link, useLoaderData, useLocation, type ClientLoaderFunctionArgs } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import {
  toPromotionView,
  type PromotionView,
  statusLabels,
} from "../../features/promotions/promotion-view";
import { useIsAdmin } from "../../features/sign-in/viewer";
import { getPromotion } from "../../features/promotions/promotions.server";
import { pageMeta } from "../../forms/page-meta";
import { formatCodes } from "../../format/promotion";
import { MessageBlock } from "../../ui/feedback/message-block";
import { screenLoader } from "../../http/answers.server";
import { requireEditor } from "../../http/guards.server";
import { paths } from "../../paths";
import { ButtonLink } from "../../ui/form/button";
import { cachedRow } from "../../ui/table/list-cache";
import { DownloadLink, DownloadOutcome, useDownload } from "../../ui/form/download";
import { qrImage } from "../../ui/layout/layout.css";
import { DialogActions, DialogCancel, DialogRoute } from "../../ui/overlay/dialog-route";
import * as css from "./download.css";

export const meta = pageMeta("Download Options");

export const loader = screenLoader(requireEditor, async (args, { user }) => {
  const promotion = await getPromotion(args.params.promotionId ?? "");
  return toPromotionView(promotion, siteTimeZone(), user);
});

/** Over the list the dialog opens without a request. */
export async function clientLoader({ params, serverLoader }: ClientLoaderFunctionArgs) {
  return (
    cachedRow<PromotionView>(paths.qrList, params.promotionId) ?? serverLoader<typeof loader>()
  );
}

export default function DownloadDialog() {
  const promotion = useLoaderData<typeof loader>();
  const { id, name, code, discount, expiration, status, massGenerationId } = promotion;
  const image = useDownload("qr");
  const closeTo = `${paths.qrList}${useLocation().search}`;
  return (
    <DialogRoute title="Download Options" closeTo={closeTo}>
      {status === "not_assigned" && (
        <MessageBlock kind="warning">
          No machine accepts this code yet. Assign machines first.
        </MessageBlock>
      )}
      <h3>Single QR Code</h3>
      <figure className={css.figure}>
        {/* Its sides are set in the stylesheet; black on white in every theme. */}
        <img
          className={qrImage}
          src={paths.qrImage(id)}
          alt={`QR code for ${name}`}
          width="232"
          height="232"
        />
        <figcaption className={css.caption}>
          <p>{name}</p>
          <span className={css.code}>{code}</span>
          <p>{discount}</p>
          <p>Expiration: {expiration}</p>
          <p>Status: {statusLabels[status]}</p>
        </figcaption>
      </figure>
      <DialogActions>
        <DownloadLink to={paths.qrImage(id)} variant="primary" download={image}>
          Download PNG
        </DownloadLink>
        <ButtonLink to={paths.qrDrawing(id)} reloadDocument icon="download" download>
          Download SVG
        </ButtonLink>
        {status !== "deleted" && <ButtonLink to={paths.codeLabels(id)}>Label</ButtonLink>}
      </DialogActions>
      <DownloadOutcome download={image} />
      {massGenerationId !== null && <ArchiveOption promotion={promotion} />}
      <DialogActions>
        <DialogCancel to={closeTo}>Close</DialogCancel>
      </DialogActions>
    </DialogRoute>
  );
}

/** Offers the archive of the whole mass generation for one of its codes. */
function ArchiveOption({
  promotion: { name, status, massGenerationId, numberOfCodes },
}: {
  promotion: SerializeFrom<typeof loader>;
}) {
  const generationId = massGenerationId!;
  const archive = useDownload("archive");
  const isAdmin = useIsAdmin();
  const isDeleted = status === "deleted";
  const codes = <Link to={paths.generation(generationId)}>{formatCodes(numberOfCodes!)}</Link>;
  return (
    <>
      <h3>Download Archive</h3>
      {isDeleted ? (
        <p>
          The campaign of {codes} is deleted.{" "}
          {isAdmin
            ? "Restore it to download its archive."
            : "Its archive can't be downloaded. Only an admin can restore it."}
        </p>
      ) : (
        <p>
          {numberOfCodes! > 1 && "All "}
          {codes} of &quot;{name}&quot; as images in one ZIP file.
        </p>
      )}
      {!isDeleted && (
        <DialogActions>
          <DownloadLink to={paths.generationArchive(generationId)} download={archive}>
            Download Archive
          </DownloadLink>
        </DialogActions>
      )}
      <DownloadOutcome download={archive} />
    </>
  );
}
