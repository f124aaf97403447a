import { noTargets } from "../../app/features/assignments/targets";

/** Valid values of the fields that both forms of new promotions have. */
export const sharedFormValues = {
  discount_type: "percentage",
  is_single_use: false,
  is_renewable: false,
  expiration_date: "31/12/2026",
  ...noTargets,
  machines: ["SN-1"],
};
