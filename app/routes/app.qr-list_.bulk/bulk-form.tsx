// Without script: the same form; the list's selection is in the address.
import type { SerializeFrom } from "@remix-run/node";
import { useLocation, useNavigation } from "@remix-run/react";
import { useMemo } from "react";
import { TargetPickers } from "../../features/assignments/target-picker";
import {
  bulkTexts,
  describeCount,
  listParams,
  needsValues,
} from "../../features/promotions/lifecycle/bulk-actions";
import { applyIntent, bulkValidator } from "../../features/promotions/lifecycle/bulk-form";
import { ExpiryField } from "../../features/promotions/form/expiry-field";
import { countOf } from "../../format/number";
import { paths } from "../../paths";
import { ButtonLink } from "../../ui/form/button";
import { Form, IdempotencyKey, FormButton } from "../../ui/form/form";
import * as formStyles from "../../ui/form/form.css";
import { Card, Page } from "../../ui/layout/page";
import type { loader } from "./route";

type Reasons = { reasons: { reason: string; count: number }[] };

/** Confirmation of a bulk action: what will happen to how many codes, and the button. */
export function BulkForm({ page }: { page: SerializeFrom<typeof loader> }) {
  const { action, preview, today, expiryExample, pickers, idempotencyKey } = page;
  const validator = useMemo(() => bulkValidator(action, today), [action, today]);
  const { pathname, search } = useLocation();
  const isPending = useNavigation().formData?.get("intent") === applyIntent;
  const back = `${paths.qrList}?${listParams(new URLSearchParams(search))}`;
  const { button } = bulkTexts[action];
  return (
    <Page title={`${button}: ${countOf(preview.codes, "code")}`}>
      <Card>
        <Form id="bulk-action" validator={validator} action={`${pathname}${search}`}>
          <p>{preview.codes > 0 ? describeCount(action, preview) : "Nothing is left to do."}</p>
          <StayingCodes reasons={preview.refusals.reasons} />
          <IdempotencyKey value={idempotencyKey} />
          <input type="hidden" name="expected" value={preview.codes} />
          {preview.codes > 0 && action === "extend" && (
            <ExpiryField name="expiration_date" example={expiryExample} isRequired />
          )}
          {preview.codes > 0 && <TargetPickers pickers={pickers} />}
          <div className={formStyles.formActions}>
            {preview.codes > 0 && (
              <FormButton
                name="intent"
                value={applyIntent}
                variant={action === "delete" ? "danger" : "primary"}
                isPending={isPending}
                pendingLabel={action === "delete" ? "Deleting..." : "Saving..."}
              >
                {needsValues(action) ? button : `${button} ${countOf(preview.codes, "code")}`}
              </FormButton>
            )}
            <ButtonLink to={back}>{preview.codes > 0 ? "Cancel" : "Back to the list"}</ButtonLink>
          </div>
        </Form>
      </Card>
    </Page>
  );
}

function StayingCodes({ reasons }: Reasons) {
  if (reasons.length === 0) return null;
  return (
    <div>
      <p>These stay as they are:</p>
      <ul>
        {reasons.map(({ reason, count }) => (
          <li key={reason}>
            {countOf(count, "code")}: {reason}
          </li>
        ))}
      </ul>
    </div>
  );
}
