/** Requests that wait for a second admin (RULES Y). */
import { formatDateTime } from "../../format/date";
import { countOf } from "../../format/number";
import { defineList } from "../../lists/list";
import { paths } from "../../paths";

export const approvalKinds = {
  single: "Single code",
  mass: "Codes of a campaign",
  added: "More codes of a campaign",
  replacement: "Replacement code",
  import: "Import of printed codes",
  limit: "Change of settings",
};

export type ApprovalKind = keyof typeof approvalKinds;

/** Names the page of what an approval made. */
const resultLabels: Partial<Record<ApprovalKind, string>> = {
  import: "Open import",
  limit: "Open settings",
};

export const approvalStates = {
  pending: "Waiting for a second admin",
  approved: "Approved",
  refused: "Refused",
  /** Stored as refused, by who asked. */
  withdrawn: "Withdrawn",
  expired: "Not decided within 14 days",
};

export type Approval = {
  id: string;
  kind: ApprovalKind;
  /** Input of the domain function that runs at the approval. */
  input: Record<string, unknown>;
  /** Name of the campaign, or the new limit in words. */
  name: string;
  /** Null for a change of the limit. */
  codes: number | null;
  askedBy: string;
  askedByEmail: string;
  askedAt: Date;
  state: keyof typeof approvalStates;
  decidedBy: string | null;
  decidedAt: Date | null;
  /** The address of what was made, within the site. */
  result: string | null;
};

export const approvalList = defineList({
  path: paths.approvals,
  pageSizes: [25, 50, 100],
  sorts: { created: "descending" },
});

export const approvalIntents = { approve: "approve", refuse: "refuse", withdraw: "withdraw" };

/** Describes a request in one sentence, for whoever decides. */
export function describeApproval({
  askedByEmail,
  name,
  codes,
}: Pick<Approval, "askedByEmail" | "name" | "codes">): string {
  const wanted = codes === null ? "a change" : countOf(codes, "code");
  return `${askedByEmail} asks for ${wanted}: "${name}".`;
}

export type ApprovalView = ReturnType<typeof toApprovalView>;

/** @param timeZone the site's IANA zone */
export function toApprovalView(approval: Approval, timeZone: string) {
  const { id, kind, name, codes, askedByEmail, askedAt, state, decidedBy, decidedAt } = approval;
  return {
    id,
    kind: approvalKinds[kind],
    name,
    codes,
    askedBy: askedByEmail,
    created: formatDateTime(askedAt, timeZone),
    state,
    stateLabel: approvalStates[state],
    decided: decidedAt && `${formatDateTime(decidedAt, timeZone)} by ${decidedBy}`,
    result: approval.result,
    resultLabel: resultLabels[kind] ?? "Open campaign",
  };
}
