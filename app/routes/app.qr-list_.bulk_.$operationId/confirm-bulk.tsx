// Without script: the same form.
import type { SerializeFrom } from "@remix-run/node";
import { useLocation, useNavigation } from "@remix-run/react";
import { useMemo } from "react";
import { TargetPickers } from "../../features/assignments/target-picker";
import { ExpiryField } from "../../features/promotions/form/expiry-field";
import { describeCount } from "../../features/promotions/lifecycle/bulk-actions";
import { applyIntent, bulkValidator } from "../../features/promotions/lifecycle/bulk-form";
import { formatNumber } from "../../format/number";
import { formatCode } from "../../format/promotion";
import { ButtonLink } from "../../ui/form/button";
import { Form, FormButton, IdempotencyKey } from "../../ui/form/form";
import * as formStyles from "../../ui/form/form.css";
import { Card } from "../../ui/layout/page";
import * as css from "./bulk.css";
import type { loader } from "./route";
import { SkippedReasons } from "./skipped-reasons";

type Prepared = Extract<SerializeFrom<typeof loader>, { state: "prepared" }>;

/** Confirmation of a bulk action: which codes will change, and the button. */
export function ConfirmBulk({ page, list }: { page: Prepared; list: string }) {
  const { action, title, outcome, today, pickers, idempotencyKey } = page;
  const { codes, named, refusals } = outcome;
  const validator = useMemo(() => bulkValidator(action, today), [action, today]);
  const { pathname, search } = useLocation();
  const isPending = useNavigation().formData?.get("intent") === applyIntent;
  if (codes === 0)
    return (
      <Card className={formStyles.form}>
        <p>No code can be changed.</p>
        <SkippedReasons reasons={refusals.reasons} />
        <div>
          <ButtonLink to={list}>Back to the list</ButtonLink>
        </div>
      </Card>
    );
  return (
    <Card>
      <Form id="bulk-action" validator={validator} action={`${pathname}${search}`}>
        <div>
          <p>{describeCount(action, outcome)}</p>
          <ul className={css.list}>
            {named.map(({ id, name, code }) => (
              <li key={id}>
                {`${name} (`}
                <code className={css.code}>{formatCode(code)}</code>)
              </li>
            ))}
            {codes > named.length && <li>{`and ${formatNumber(codes - named.length)} more`}</li>}
          </ul>
        </div>
        {refusals.reasons.length > 0 && (
          <div>
            <p>Not changed:</p>
            <SkippedReasons reasons={refusals.reasons} />
          </div>
        )}
        <IdempotencyKey value={idempotencyKey} />
        {action === "extend" && <ExpiryField name="expiration_date" today={today} isRequired />}
        <TargetPickers pickers={pickers} noneSelected="No machines selected." />
        <div className={formStyles.formActions}>
          <FormButton
            name="intent"
            value={applyIntent}
            variant={action === "delete" ? "danger" : "primary"}
            isPending={isPending}
            pendingLabel={action === "delete" ? "Deleting..." : "Saving..."}
          >
            {title}
          </FormButton>
          <ButtonLink to={list}>Cancel</ButtonLink>
        </div>
      </Form>
    </Card>
  );
}
