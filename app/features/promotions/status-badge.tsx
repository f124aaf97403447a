// Without script: the same.
import { Link } from "@remix-run/react";
import { formatCodes } from "../../format/promotion";
import { paths } from "../../paths";
import { Badge, type Tone } from "../../ui/feedback/badge";
import type { PromotionStatus } from "./promotion";
import { statusLabels, type PromotionView } from "./promotion-view";

const tones: Record<PromotionStatus, Tone> = {
  deleted: "bad",
  inactive: "off",
  expired: "warn",
  used_up: "off",
  not_assigned: "info",
  scheduled: "info",
  active: "ok",
};

export function StatusBadge({ status }: { status: PromotionStatus }) {
  return <Badge tone={tones[status]}>{statusLabels[status]}</Badge>;
}

/** The kind of a promotion, with a link to the mass generation of its code. */
export function PromotionType({
  promotion: { type, massGenerationId, numberOfCodes },
}: {
  promotion: Pick<PromotionView, "type" | "massGenerationId" | "numberOfCodes">;
}) {
  if (massGenerationId === null) return <>{type}</>;
  return (
    <>
      {type}, one of{" "}
      <Link to={paths.generation(massGenerationId)}>{formatCodes(numberOfCodes!)}</Link>
    </>
  );
}
