import type { NewPromotion } from "../promotions/form/promotion-forms";

/** What is to be generated: one promotion, many codes of it (core §3, §5). */
export type NewMassGeneration = NewPromotion & { numCodes: number };
