/** Declares the audit log as a list. */
import {
  choiceFilter,
  createdFilters,
  defineList,
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
    ...createdFilters,
    /** Both match anywhere, in either case. */
    actor: textFilter("actor", "By", "User's email"),
    action: textFilter("action", "Action"),
    subjectType: choiceFilter("subject_type", "Subject", subjectLabels),
    subjectId: idFilter("subject_id", "Number", "Number of the subject"),
  },
  search: "actor",
  filterGroups: {
    Action: ["action"],
    Created: ["created_after", "created_before"],
    Subject: ["subject_type", "subject_id"],
  },
  lastNumberedRow: 10_000,
});

export type AuditFilters = FilterValues<typeof auditList.filters>;
