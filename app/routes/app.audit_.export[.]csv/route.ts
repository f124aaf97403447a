import { auditList } from "../../features/activity/audit-list";
import { exportAudit } from "../../features/activity/audit-list.server";
import { csvRoute } from "../../http/downloads.server";
import { requireAdmin } from "../../http/guards.server";
import { readSubjectNames } from "../../http/subject-names.server";

export const loader = csvRoute(auditList, (filters) => exportAudit(filters, readSubjectNames), {
  name: "audit-log",
  guard: requireAdmin,
});
