// Without script: links, and a form that reactivates.
import { Form } from "@remix-run/react";
import type { PromotionView } from "../../features/promotions/promotion-view";
import { paths } from "../../paths";
import { Button, ButtonLink } from "../../ui/form/button";

/** Actions of a promotion's own page; only admins restore. */
export function PromotionActions({
  words: { id, status },
  isAdmin,
}: {
  words: Pick<PromotionView, "id" | "status">;
  isAdmin: boolean;
}) {
  const isDeleted = status === "deleted";
  return (
    <>
      {isDeleted && isAdmin && (
        <ButtonLink to={`${paths.promotionRestoring(id)}?deleted=true`} icon="restore">
          Restore
        </ButtonLink>
      )}
      {status === "inactive" && isAdmin && (
        <Form method="post" action={paths.promotionReactivation(id)} preventScrollReset>
          <Button icon="power">Reactivate</Button>
        </Form>
      )}
      <ButtonLink to={paths.promotionMachines(id)} icon="machine">
        Machines
      </ButtonLink>
      <ButtonLink to={paths.qrCode(id)} icon="download">
        Download
      </ButtonLink>
      <ButtonLink to={paths.duplicatePromotion(id)} icon="plus">
        Duplicate
      </ButtonLink>
      {!isDeleted && (
        <ButtonLink to={paths.promotionDeletion(id)} icon="trash">
          Delete
        </ButtonLink>
      )}
    </>
  );
}
