import { auditList } from "../../features/audit/audit-list";
import { exportAudit } from "../../features/audit/audit-list.server";
import { csvRoute } from "../../http/downloads.server";
import { requireAdmin } from "../../http/guards.server";

export const loader = csvRoute(auditList, exportAudit, {
  name: "audit-log",
  guard: requireAdmin,
});
