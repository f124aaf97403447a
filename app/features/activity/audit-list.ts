/** Declares the audit log as a list. */
import {
  choiceFilter,
  createdFilters,
  defineList,
  idFilter,
  textFilter,
  type FilterValues,
} from "../../lists/list";
import { filterParams } from "../../lists/list-params";
import { paths } from "../../paths";

export const subjectLabels = {
  promotion: "Promotion",
  mass_generation: "Mass generation",
  machine: "Machine",
  machine_group: "Machine group",
  user: "User",
  integration: "Integration",
  mail: "Mail",
  report_schedule: "Report schedule",
  webhook: "Webhook",
  site: "Site",
};

export type SubjectType = keyof typeof subjectLabels;

const filters = {
  ...createdFilters,
  /** Both match anywhere, in either case. */
  actor: textFilter("actor", "By", "User's email"),
  action: textFilter("action", "Action"),
  subjectType: choiceFilter("subject_type", "Subject", subjectLabels),
  subjectId: idFilter("subject_id", "Number", "Number of the subject"),
};

export const auditList = defineList({
  path: paths.audit,
  cookie: "rows-audit",
  pageSizes: [10, 25, 50, 100],
  sorts: { created: "descending" },
  defaultSort: { by: "created", isDescending: true },
  filters,
  search: "actor",
  filterGroups: {
    Action: ["action"],
    Created: ["created_after", "created_before"],
    Subject: ["subject_type", "subject_id"],
  },
  lastNumberedRow: 10_000,
});

export type AuditFilters = FilterValues<typeof filters>;

export function auditParams(values: AuditFilters): [string, string][] {
  return filterParams(filters, values);
}
