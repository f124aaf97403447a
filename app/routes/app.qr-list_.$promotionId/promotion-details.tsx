// Without script: facts, links, a form that reactivates and one that comes back filled when it is not accepted.
import { Form as PlainForm, useNavigation } from "@remix-run/react";
import { useMemo } from "react";
import { AssignedMachines } from "../../features/assignments/assigned-machines";
import {
  type EditFormFacts,
  editFormValidator,
} from "../../features/promotions/form/promotion-forms";
import { ExpiryField } from "../../features/promotions/form/expiry-field";
import { PromotionType } from "../../features/promotions/status-badge";
import { statusLabels } from "../../features/promotions/promotion-view";
import { formatDateInput } from "../../forms/typed-date";
import { paths } from "../../paths";
import { Button, ButtonLink } from "../../ui/form/button";
import { Form, FormSubmit, TextField } from "../../ui/form/form";
import type { IconName } from "../../ui/icon/icon";
import { qrImage } from "../../ui/layout/layout.css";
import { Card, FactList } from "../../ui/layout/page";
import { muted } from "#styles/global.css";
import * as css from "./promotion-page.css";
import type { PromotionPageData } from "./route";

type PageProps = { page: PromotionPageData };

/** Actions of a promotion's own page; only admins restore. */
export function PromotionActions({ page: { isAdmin, promotion } }: PageProps) {
  const { id, status } = promotion;
  const isDeleted = status === "deleted";
  const link = (label: string, icon: IconName, to: string) => (
    <ButtonLink to={to} icon={icon}>
      {label}
    </ButtonLink>
  );
  return (
    <>
      {isDeleted &&
        isAdmin &&
        link("Restore", "restore", `${paths.promotionRestoring(id)}?deleted=true`)}
      {status === "inactive" && isAdmin && (
        <PlainForm method="post" action={paths.promotionReactivation(id)} preventScrollReset>
          <Button icon="power">Reactivate</Button>
        </PlainForm>
      )}
      {link("Machines", "machine", paths.promotionMachines(id))}
      {link("Download", "download", paths.qrCode(id))}
      {link("Duplicate", "plus", paths.duplicatePromotion(id))}
      {!isDeleted && link("Delete", "trash", paths.promotionDeletion(id))}
    </>
  );
}

/** Everything that is known about the promotion; what is printed can't be changed. */
export function Facts({ page }: PageProps) {
  const { promotion, reason, created, renews, assigned } = page;
  return (
    <Card className={css.facts}>
      <img
        className={qrImage}
        src={paths.qrImage(promotion.id)}
        alt={`QR code for ${promotion.name}`}
        width="232"
        height="232"
      />
      <FactList
        facts={[
          ["Status", `${statusLabels[promotion.status]}. ${reason}`],
          ["Code", <code key="code">{promotion.code}</code>],
          ["Type", <PromotionType key="type" promotion={promotion} />],
          ["Discount", `${promotion.discountType}, ${promotion.discount}`],
          ["One-time", promotion.oneTime],
          ["Used", promotion.used],
          ["Uses left", promotion.usesLeft],
          ["Expiration", promotion.validity],
          ["Renewable", renews],
          ["Created", created],
          ["Machines", <AssignedMachines key="machines" {...assigned} />],
        ]}
      />
    </Card>
  );
}

/** Form of the values that can be edited (RULES P4). */
export function EditForm({
  edit,
  version,
}: {
  edit: PromotionPageData["edit"];
  /** Version of the promotion that the editor has seen. */
  version: string;
}) {
  const { today, heldDay, isSingle, isRenewable, name } = edit;
  const validator = useMemo(
    () => editFormValidator({ today, heldDay, isSingle, isRenewable }),
    [today, heldDay, isSingle, isRenewable],
  );
  const isPending = useNavigation().formData?.has("version") ?? false;
  return (
    <Form
      id="edit-promotion"
      validator={validator}
      defaultValues={{
        promotionName: name,
        expiration_date: heldDay === null ? "" : formatDateInput(heldDay),
      }}
    >
      <h2>Edit</h2>
      <p className={muted}>{frozenFieldsMessage(edit)}</p>
      <input type="hidden" name="version" value={version} />
      {isSingle && <TextField name="promotionName" label="Name" />}
      {!isRenewable && <ExpiryField name="expiration_date" today={today} />}
      {(isSingle || !isRenewable) && (
        <FormSubmit isPending={isPending} pendingLabel="Saving..." label="Save changes" />
      )}
    </Form>
  );
}

function frozenFieldsMessage({ isSingle, isRenewable }: EditFormFacts): string {
  const frozen = "Everything else is printed and can't be changed.";
  if (isSingle && isRenewable)
    return `Only the name can be changed: a renewable promotion has no expiration date. ${frozen}`;
  if (isSingle) return `Name and expiration date can be changed. ${frozen}`;
  return isRenewable
    ? "Nothing can be changed: the name is its mass generation's, and a renewable promotion has no expiration date. Everything else is printed."
    : `Only the expiration date of this one code can be changed: the name is its mass generation's. ${frozen}`;
}
