import * as z from "zod/mini";

/** Prices and discounts are in cents. */
export const transactionSchema = z.object({
  id: z.int(),
  machine: z.string(),
  originalPrice: z.int(),
  discount: z.int(),
  discountedPrice: z.int(),
  savings: z.int(),
  timestamp: z.iso.datetime(),
  status: z.enum(["Applied", "Rolled back"]),
  type: z.enum(["percentage", "free_drink"]),
});
