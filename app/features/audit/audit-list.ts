/** Declares the audit log as a list. */
import {
  choiceFilter,
  timeFilters,
  defineList,
  flagFilter,
  idFilter,
  textFilter,
  type FilterValues,
} from "../../lists/list";
import { paths } from "../../paths";
import { subjectLabels } from "../activity/subject";

export const auditList = defineList({
  path: paths.audit,
  cookie: "rows-audit",
  pageSizes: [10, 25, 50, 100],
  sorts: { created: "descending" },
  filters: {
    ...timeFilters("Time"),
    /** Both match anywhere, in either case. */
    actor: textFilter("actor", "By", "User's email or name"),
    action: textFilter("action", "Action"),
    signIns: flagFilter("sign_ins", "Sign-ins", { false: "Hidden" }, "Shown"),
    /** A part of its name, serial number, address or mail address, or a whole code. */
    subject: textFilter("subject", "Subject", "Name or code of the subject"),
    subjectType: choiceFilter("subject_type", "Subject", subjectLabels),
    subjectId: idFilter("subject_id", "Number", "Number of the subject"),
  },
  search: "actor",
  filterGroups: {
    Action: ["action", "sign_ins"],
    Time: ["created_after", "created_before"],
    Subject: ["subject", "subject_type", "subject_id"],
  },
  lastNumberedRow: 10_000,
});

export type AuditFilters = FilterValues<typeof auditList.filters>;
