import { useLoaderData, useLocation } from "@remix-run/react";
import { useEffect } from "react";
import { clearSelection } from "../../features/promotions/list/selection";
import {
  describeResult,
  listParams,
  needsValues,
} from "../../features/promotions/lifecycle/bulk-actions";
import { findBulkResult } from "../../features/promotions/lifecycle/promotion-lifecycle.server";
import { formMeta } from "../../forms/form-meta";
import { countOf } from "../../format/number";
import { formatCode } from "../../format/promotion";
import { screenLoader } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import { ButtonLink } from "../../ui/form/button";
import { Page } from "../../ui/layout/page";
import { LinkedCode, Table } from "../../ui/table/table";

export const meta = formMeta<{ title: string }>((data) => `${data?.title ?? "Result"} - QR List`);

/** Reads the result of a bulk action, which is kept for a day. */
export const loader = screenLoader(requireUser, async (args, { user }) => {
  const result = await findBulkResult(user.id, args.params.resultKey ?? "");
  if (!result) throw new Response("This result is no longer kept.", { status: 404 });
  const { action, codes, expected, refusals } = result;
  const hasMoved = expected !== null && expected !== codes && !needsValues(action);
  return {
    title: describeResult(action, codes),
    hasChanged: codes > 0,
    moved: hasMoved
      ? `The page before said ${countOf(expected, "code")}. Something had changed meanwhile: it was ${countOf(codes, "code")}.`
      : null,
    reasons: refusals.reasons.map(({ reason, count }) => `${countOf(count, "code")}: ${reason}`),
    staying: refusals.shown.map((row) => ({ ...row, code: formatCode(row.code) })),
    stayingTotal: refusals.reasons.reduce((sum, { count }) => sum + count, 0),
  };
});

export default function BulkResult() {
  // The ticked codes are done with.
  useEffect(clearSelection, []);
  const { title, hasChanged, moved, reasons, staying, stayingTotal } =
    useLoaderData<typeof loader>();
  const back = `${paths.qrList}?${listParams(new URLSearchParams(useLocation().search))}`;
  return (
    <Page
      title={title}
      actions={
        <ButtonLink to={back} variant="primary">
          Back to the list
        </ButtonLink>
      }
    >
      <MessageBlock kind={hasChanged ? "success" : "info"}>
        {stayingTotal === 0
          ? `${title}.`
          : `${title}. ${countOf(stayingTotal, "code")} not changed.`}
      </MessageBlock>
      {moved && <MessageBlock kind="warning">{moved}</MessageBlock>}
      {stayingTotal > 0 && (
        <>
          <h2>Not changed</h2>
          <ul>
            {reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
          <Table
            caption="Codes that were not changed"
            rows={staying}
            columns={[
              {
                heading: "Name",
                isRowHeader: true,
                cell: ({ id, name, code }) => <LinkedCode id={id} name={name} code={code} />,
              },
              { heading: "Why", cell: ({ reason }) => reason },
            ]}
            footer={
              stayingTotal > staying.length &&
              `${countOf(staying.length, "code")} shown of ${stayingTotal}.`
            }
          />
        </>
      )}
    </Page>
  );
}
