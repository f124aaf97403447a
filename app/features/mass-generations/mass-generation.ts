import type { NewPromotion } from "../promotions/form/promotion-forms";

/** Input of a mass generation: one promotion, many codes. */
export type NewMassGeneration = NewPromotion & { numCodes: number };
