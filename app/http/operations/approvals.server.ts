/** Requests that wait for a second admin, as their calls were answered with 202. */
import { getApproval } from "../../features/approvals/list-approvals.server";
import { operation } from "../api.server";
import { approvalAnswer } from "./schemas";

export const approvalOperations = [
  operation({
    method: "GET",
    path: "/api/approvals/{approvalId}",
    summary: "Read a request that waits for a second admin",
    scope: "read",
    hasWholeCodes: true,
    answers: {
      200: "The request of the caller, or of anybody for admins.",
      404: "No such request.",
    },
    result: approvalAnswer.schema,
    run: async ({ param, user }) => approvalAnswer.of(await getApproval(param("approvalId"), user)),
  }),
];
