import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData, useLocation, type ClientLoaderFunctionArgs } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import { getPromotion } from "../../features/promotions/list/list-promotions.server";
import { toPromotionView, statusLabels } from "../../features/promotions/promotion-view";
import { cachedPromotion } from "../../features/promotions/list/list-cache";
import { screenRoute } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { paths } from "../../paths";
import { ButtonLink } from "../../ui/form/button";
import { DownloadLink, DownloadOutcome, useDownload } from "../../ui/form/download";
import { DialogActions, DialogCancel, DialogRoute } from "../../ui/overlay/dialog-route";
import { ArchiveOption } from "./archive-option";
import * as styles from "./download.css";

export const meta: MetaFunction = () => [{ title: "Download Options - QR List - Promo Console" }];

export const loader = screenRoute(async (args: LoaderFunctionArgs) => {
  await requireUser(args);
  const promotion = await getPromotion(args.params.promotionId ?? "");
  return json(toPromotionView(promotion, siteTimeZone()));
});

/** Over the list the dialog opens without a request. */
export async function clientLoader({ params, serverLoader }: ClientLoaderFunctionArgs) {
  return cachedPromotion(params.promotionId) ?? serverLoader<typeof loader>();
}

export default function DownloadDialog() {
  const promotion = useLoaderData<typeof loader>();
  const { id, name, code, discount, validity, status, massGenerationId } = promotion;
  const image = useDownload({
    done: "QR code downloaded successfully",
    failed: "Failed to download QR code",
  });
  const closeTo = `${paths.qrList}${useLocation().search}`;
  const close = <DialogCancel to={closeTo}>Close</DialogCancel>;
  return (
    <DialogRoute title="Download Options" closeTo={closeTo} returnFocusTo={`download-${id}`}>
      <h3>Single QR Code</h3>
      <figure className={styles.figure}>
        {/* Its sides are set in the stylesheet; black on white in every theme. */}
        <img
          className={styles.image}
          src={paths.qrImage(id)}
          alt={`QR code for ${name}`}
          width="232"
          height="232"
        />
        <figcaption className={styles.caption}>
          <p>{name}</p>
          <span className={styles.code}>{code}</span>
          <p>
            {discount}, {validity}
          </p>
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
        {massGenerationId === null && close}
      </DialogActions>
      <DownloadOutcome download={image} />
      {massGenerationId !== null && <ArchiveOption promotion={promotion} close={close} />}
    </DialogRoute>
  );
}
