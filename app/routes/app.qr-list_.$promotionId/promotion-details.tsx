// Without script: facts, links and plain forms.
import { Link } from "@remix-run/react";
import { muted } from "#styles/global.css";
import { LifecycleButton } from "../../features/promotions/lifecycle/lifecycle-button";
import { EditForm, editFormId } from "../../features/promotions/form/edit-form";
import { useCanEdit } from "../../features/sign-in/viewer";
import { PromotionType } from "../../features/promotions/status-badge";
import { allCodes } from "../../format/promotion";
import { paths } from "../../paths";
import { MoreMenu } from "../../ui/layout/detail";
import { ButtonLink } from "../../ui/form/button";
import { type Download, DownloadLink } from "../../ui/form/download";
import { actions, qrImage } from "../../ui/layout/layout.css";
import { FactList } from "../../ui/layout/page";
import { MenuLink } from "../../ui/overlay/details-menu";
import { LostFormError } from "../../ui/validated-form/lost-form-error";
import * as css from "./promotion-page.css";
import type { PromotionPageData } from "./route";

type PageProps = { page: PromotionPageData };

/** Actions of a promotion's own page; only admins restore. The main one, which comes first, undoes what made it unusable. */
export function PromotionActions({ page, download }: PageProps & { download: Download }) {
  const { isAdmin, promotion, canReactivate, isMachineMissing } = page;
  const { id, status, massGenerationId } = promotion;
  const isDeleted = status === "deleted";
  const canRestore = isDeleted && isAdmin;
  const machines = paths.promotionMachines(id);
  return (
    <>
      {canReactivate && (
        <LifecycleButton key="on" intent="reactivate" variant="primary">
          Reactivate
        </LifecycleButton>
      )}
      {canRestore && (
        <ButtonLink to={`${paths.promotionRestoring(id)}?deleted=true`} variant="primary">
          Restore
        </ButtonLink>
      )}
      {isMachineMissing && (
        <ButtonLink to={machines} variant="primary">
          Assign machines
        </ButtonLink>
      )}
      <DownloadLink
        to={paths.qrImage(id)}
        variant={canRestore || canReactivate || isMachineMissing ? "default" : "primary"}
        download={download}
      >
        Download QR
      </DownloadLink>
      {!isMachineMissing && <ButtonLink to={machines}>Machines</ButtonLink>}
      {!isDeleted && status !== "inactive" && (
        <LifecycleButton key="off" intent="deactivate">
          {massGenerationId === null ? "Deactivate" : "Deactivate only this code"}
        </LifecycleButton>
      )}
      <MoreMenu>
        {!isDeleted && <MenuLink to={paths.codeSharing(id)}>Share</MenuLink>}
        <MenuLink to={paths.duplicatePromotion(id)}>Duplicate</MenuLink>
        {massGenerationId !== null && (
          <MenuLink to={paths.generation(massGenerationId)}>Show campaign</MenuLink>
        )}
        {massGenerationId !== null && page.canDeactivateAll && (
          <MenuLink to={paths.codesDeactivation(massGenerationId)}>
            Deactivate {allCodes(promotion.numberOfCodes!)}
          </MenuLink>
        )}
        {!isDeleted && (
          <MenuLink
            to={
              massGenerationId === null
                ? paths.promotionCaps(id)
                : paths.generationCaps(massGenerationId)
            }
          >
            Change caps
          </MenuLink>
        )}
        {!isDeleted && <MenuLink to={paths.promotionDeletion(id)}>Delete</MenuLink>}
      </MoreMenu>
    </>
  );
}

function CodeLink({ id, code }: { id: string; code: string }) {
  return <Link to={paths.promotion(id)}>{code}</Link>;
}

function QrImage({ promotion: { id, name, status } }: Pick<PromotionPageData, "promotion">) {
  return (
    <>
      <img
        className={`${qrImage} ${css.image}`}
        src={paths.qrImage(id)}
        alt={`QR code for ${name}`}
        width="200"
        height="200"
      />
      <div className={`${actions} ${css.downloads}`}>
        <ButtonLink to={paths.qrImage(id)} reloadDocument download>
          PNG
        </ButtonLink>
        <ButtonLink to={paths.qrDrawing(id)} reloadDocument download>
          SVG
        </ButtonLink>
        {status !== "deleted" && <ButtonLink to={paths.codeLabels(id)}>Label</ButtonLink>}
      </div>
    </>
  );
}

/** The code as it is printed, and everything that is printed with it. */
export function Facts({ page }: PageProps) {
  const { promotion, facts, created, edit } = page;
  const { name } = promotion;
  const isEditor = useCanEdit();
  return (
    <>
      {isEditor && <QrImage promotion={promotion} />}
      <FactList
        facts={[
          ...facts,
          ["Type", <PromotionType key="type" promotion={promotion} />],
          ["Created", created],
          page.replaces && ["Replaces", <CodeLink key="replaces" {...page.replaces} />],
          page.replacement && ["Replaced by", <CodeLink key="replaced" {...page.replacement} />],
        ]}
      />
      {isEditor && promotion.status !== "deleted" ? (
        <>
          <p className={muted}>{page.printed}</p>
          <EditForm facts={edit} name={name} times={page.editTimes} version={page.version} />
        </>
      ) : (
        <LostFormError formId={editFormId} />
      )}
    </>
  );
}
