import type { Caps } from "../caps/cap";
import type { ListPage } from "../../lists/parse-list";
import type { StoredTimes } from "./schedule";

export type DiscountType = "percentage" | "free_drink";

/** Statuses in order of precedence: the first that holds applies. */
export const promotionStatuses = [
  "deleted",
  "inactive",
  "expired",
  "used_up",
  "not_assigned",
  "scheduled",
  "active",
] as const;
export type PromotionStatus = (typeof promotionStatuses)[number];

/** A promotion or a mass generation: what both forms create. */
export type Campaign = {
  id: string;
  name: string;
  discountType: DiscountType;
  /** Percent, or a number of drinks. */
  discountValue: number;
  isSingleUse: boolean;
  isRenewable: boolean;
  isActive: boolean;
  isDeleted: boolean;
  isExpired: boolean;
  createdAt: Date;
  /** Exclusive: the start of the local day after the last valid one. */
  expiresAt: Date | null;
  /** When a renewable one gets its limit back: the first of next month, 00:00 in the site's zone. */
  renewsAt: Date | null;
  /** Its start and its hours; those of a code are its mass generation's. */
  times: StoredTimes;
  /** Null is without caps. */
  caps: Caps | null;
};

export type Promotion = Campaign & {
  /** Upper-case, no dashes. */
  code: string;
  massGenerationId: string | null;
  /** Moves with each change by people; an edit names the one that it saw. */
  version: number;
  /** The number of codes of its mass generation; null for a single promotion. */
  numberOfCodes: number | null;
  isNew: boolean;
  activationCount: number;
  /** null is 'Unlimited'; for renewable promotions, what is left this month. */
  remainingUses: number | null;
  /** Whether a cap of its campaign is reached that every redemption would pass. */
  isCapReached: boolean;
  status: PromotionStatus;
  /** Figures of the whole mass generation, when this row stands for all its codes. */
  campaign?: {
    /** Codes that were accepted at least once; if capped, there are more. */
    used: number;
    isCapped: boolean;
    /** Codes with uses left; null is 'Unlimited'. */
    left: number | null;
    /** Email of who made it, if known. */
    createdBy: string | null;
  };
};

export type PromotionList = ListPage & { promotions: Promotion[] };
