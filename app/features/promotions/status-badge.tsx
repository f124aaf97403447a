// Without script: the same.
import { Badge, type Tone } from "../../ui/feedback/badge";
import type { PromotionStatus } from "./promotion";
import { statusLabels } from "./promotion-view";

const tones: Record<PromotionStatus, Tone> = {
  deleted: "bad",
  inactive: "off",
  expired: "warn",
  used_up: "off",
  not_assigned: "info",
  active: "ok",
};

/** @param words where they are not those of a promotion */
export function StatusBadge({
  status,
  words = statusLabels[status],
}: {
  status: PromotionStatus;
  words?: string;
}) {
  return <Badge tone={tones[status]}>{words}</Badge>;
}
