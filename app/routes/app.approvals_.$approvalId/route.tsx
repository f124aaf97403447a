import type { SerializeFrom } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import { approvalIntents, toApprovalView } from "../../features/approvals/approval";
import { refuseApproval } from "../../features/approvals/approvals.server";
import { getApproval } from "../../features/approvals/list-approvals.server";
import { passwordOnlyValidator } from "../../features/people/profile-forms";
import { pageMeta } from "../../forms/page-meta";
import { rerenderForm } from "../../forms/validator";
import { formatNumber } from "../../format/number";
import { termsOf } from "../../http/approval-terms.server";
import { approve } from "../../http/approved-requests.server";
import {
  type Attempt,
  checked,
  confirmed,
  formLoader,
  formsAction,
  type FormPost,
} from "../../http/form-action.server";
import { requireAdmin, requireEditor } from "../../http/guards.server";
import { paths } from "../../paths";
import { ButtonLink } from "../../ui/form/button";
import { IdempotencyKey } from "../../ui/form/idempotency-key";
import { PostButton } from "../../ui/form/post-button";
import { FormCard } from "../../ui/layout/detail";
import { parts } from "../../ui/layout/layout.css";
import { FactList, Page } from "../../ui/layout/page";
import { Form, FormSubmit, PasswordAgain } from "../../ui/validated-form/form";
import { LostFormError } from "../../ui/validated-form/lost-form-error";

type ApprovalData = SerializeFrom<typeof loader>;

export const meta = pageMeta();

export const handle = { nameOf: ({ approval }: ApprovalData) => approval.name };

/** Loads a request for whoever asked and for admins. */
export const loader = formLoader(requireEditor, async ({ params }, { user }) => {
  const approval = await getApproval(params.approvalId ?? "", user);
  return {
    approval: toApprovalView(approval, siteTimeZone()),
    terms: await termsOf(approval),
    canDecide:
      approval.state === "pending" && user.role === "admin" && approval.askedBy !== user.id,
    isOwn: approval.askedBy === user.id,
  };
});

const formId = "approval";

const idOf = ({ params }: FormPost) => params.approvalId ?? "";

const byAdmin =
  (attempt: Attempt): Attempt =>
  async (post) => {
    await requireAdmin(post);
    return attempt(post);
  };

export const action = formsAction({
  guard: requireEditor,
  forms: {
    [approvalIntents.approve]: byAdmin(
      checked(
        passwordOnlyValidator,
        confirmed(async (_input, post) => {
          const { actor, user } = post.session;
          const to = await approve(idOf(post), { ...actor, role: user.role });
          return { to, text: "Approved and carried out" };
        }),
      ),
    ),
    [approvalIntents.refuse]: byAdmin(async (post) => {
      await refuseApproval(idOf(post), post.session.actor);
      return { to: paths.approval(idOf(post)), text: "Request refused. Nothing was changed." };
    }),
    [approvalIntents.withdraw]: async (post) => {
      await refuseApproval(idOf(post), post.session.actor, "withdrawn");
      return { to: paths.approval(idOf(post)), text: "Request withdrawn" };
    },
  },
});

export const clientAction = rerenderForm("Error deciding on request");

export default function ApprovalPage() {
  const { approval, terms, canDecide, isOwn } = useLoaderData<typeof loader>();
  const { kind, name, codes, askedBy, created, state, stateLabel, decided, result, resultLabel } =
    approval;
  return (
    <Page
      title={name}
      actions={result !== null && <ButtonLink to={result}>{resultLabel}</ButtonLink>}
    >
      <div className={parts}>
        <FormCard title={stateLabel}>
          <FactList
            facts={[
              ["Request", kind],
              codes !== null && (["Codes", formatNumber(codes)] as const),
              ...terms.map(
                ({ label, text, to }) => [label, to ? <a href={to}>{text}</a> : text] as const,
              ),
              ["Requested by", askedBy],
              ["Requested", created],
              decided !== null && (["Decided", decided] as const),
            ]}
          />
          {state === "pending" && isOwn && (
            <>
              <p>
                Nothing happens until another admin approves it. Admins see the request among their
                alerts.
              </p>
              <PostButton intent={approvalIntents.withdraw} pendingLabel="Withdrawing...">
                Withdraw request
              </PostButton>
            </>
          )}
        </FormCard>
        {canDecide ? (
          <FormCard title="Decide">
            <p>
              Approving carries out the request now, in the name of {askedBy}. Refusing changes
              nothing.
            </p>
            <Form id={formId} validator={passwordOnlyValidator}>
              <IdempotencyKey />
              <PasswordAgain />
              <FormSubmit
                name="intent"
                value={approvalIntents.approve}
                pendingLabel="Approving..."
                label="Approve request"
              />
            </Form>
            <PostButton intent={approvalIntents.refuse} pendingLabel="Refusing...">
              Refuse request
            </PostButton>
          </FormCard>
        ) : (
          <LostFormError formId={formId} />
        )}
      </div>
    </Page>
  );
}
