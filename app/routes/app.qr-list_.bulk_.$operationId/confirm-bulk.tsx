// Without script: the same form.
import type { SerializeFrom } from "@remix-run/node";
import { Link, useLocation } from "@remix-run/react";
import { useMemo } from "react";
import { visuallyHidden } from "#styles/global.css";
import { TargetFields } from "../../features/assignments/target-fields";
import { ExpiryField } from "../../features/promotions/form/expiry-field";
import { TimesFields } from "../../features/promotions/form/times-fields";
import type { NamedCodes } from "../../features/promotions/lifecycle/bulk-actions";
import { applyIntent, bulkValidator } from "../../features/promotions/lifecycle/bulk-form";
import { formatNumber } from "../../format/number";
import { formatCode, formatCodes } from "../../format/promotion";
import { paths } from "../../paths";
import { ButtonLink } from "../../ui/form/button";
import { Checkbox, Form, FormButton } from "../../ui/validated-form/form";
import { IdempotencyKey } from "../../ui/form/idempotency-key";
import * as formStyles from "../../ui/form/form.css";
import { formCard } from "../../ui/layout/layout.css";
import { Card } from "../../ui/layout/page";
import * as css from "./bulk.css";
import { SkippedCodes } from "./bulk-outcome";
import type { loader } from "./route";

type Prepared = Extract<SerializeFrom<typeof loader>, { state: "prepared" }>;

/** Confirmation of a bulk action: which codes will change, and the button. */
export function ConfirmBulk({ page, list }: { page: Prepared; list: string }) {
  const { action, title, consequence, outcome, skipped, today, pickers } = page;
  const { codes, named, refusals } = outcome;
  const others = codes - named.reduce((sum, one) => sum + (one.codes ?? 1), 0);
  const validator = useMemo(() => bulkValidator(action, today), [action, today]);
  const { pathname, search } = useLocation();
  if (codes === 0)
    return (
      <Card className={formCard}>
        <div className={formStyles.form}>
          <SkippedCodes refusals={refusals} skipped={skipped} />
          <div>
            <ButtonLink to={list}>Back to the list</ButtonLink>
          </div>
        </div>
      </Card>
    );
  return (
    <Card className={formCard}>
      <Form id="bulk-action" validator={validator} action={`${pathname}${search}`}>
        <p>{consequence}</p>
        <ul className={css.list}>
          {named.map((one) => (
            <li key={`${one.code ?? "all"} ${one.id}`}>
              <Named {...one} />
            </li>
          ))}
          {others > 0 && <li>{`and ${formatNumber(others)} more`}</li>}
        </ul>
        {skipped > 0 && (
          <>
            <p>Not changed:</p>
            <SkippedCodes refusals={refusals} skipped={skipped} />
          </>
        )}
        <IdempotencyKey />
        {action === "extend" && <ExpiryField name="expiration_date" today={today} isRequired />}
        {action === "reschedule" && (
          <>
            <Checkbox name="changes_start" label="Change the start" />
            <Checkbox
              name="changes_hours"
              label="Change the hours"
              hint="Tick and leave empty to remove."
            />
            <TimesFields />
          </>
        )}
        {pickers.length > 0 && <h2 className={visuallyHidden}>Machines and groups</h2>}
        <TargetFields pickers={pickers} noneSelected="No machines selected." />
        <div className={formStyles.formActions}>
          <FormButton
            name="intent"
            value={applyIntent}
            variant={action === "delete" ? "danger" : "primary"}
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

/** Names a mass generation with its number of codes, or a code; each leads to its page. */
function Named({ id, name, code, codes }: NamedCodes) {
  return code === null ? (
    <>
      <Link to={paths.generation(id)}>{name}</Link>: {formatCodes(codes)}
    </>
  ) : (
    <>
      <Link to={paths.promotion(id)}>{name}</Link> (
      <code className={css.code}>{formatCode(code)}</code>)
    </>
  );
}
