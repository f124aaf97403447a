import type { PromotionStatus } from "../../features/promotions/promotion";
import { paths } from "../../paths";

/**
 * The rows as they will be when the deactivations under way succeed. One that fails is no longer
 * under way, and its row shows again what it is.
 * @param submissions requests in flight, of whatever kind
 */
export function optimisticRows<Row extends { id: string; status: PromotionStatus }>(
  rows: readonly Row[],
  submissions: readonly { formAction?: string | undefined }[],
): readonly Row[] {
  const addresses = new Set(submissions.map(({ formAction }) => formAction?.split("?")[0]));
  const isDeactivating = ({ id }: Row) => addresses.has(paths.promotionDeactivation(id));
  if (!rows.some(isDeactivating)) return rows;
  return rows.map((row) =>
    row.status === "active" && isDeactivating(row) ? { ...row, status: "inactive" } : row,
  );
}
