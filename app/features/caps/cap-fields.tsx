// Without script: the same.
import { TextField } from "../../ui/validated-form/form";
import type { Caps } from "./cap";

const labels: Record<keyof Caps, [label: string, hint?: string]> = {
  uses: ["Uses in all"],
  usesPerDay: ["Uses a day"],
  usesPerMachineAndDay: ["Uses per machine and day"],
  money: ["Money in all", "Such as 500.00."],
  lowestPrice: ["Lowest price", "Refuses cheaper products."],
  highestDiscount: ["Highest discount", "Cuts a percentage, refuses a dearer free drink."],
};

/** The caps of a campaign; each may stay empty. */
export function CapFields() {
  return Object.entries(labels).map(([name, [label, hint]]) => (
    <TextField key={name} name={name} label={label} hint={hint} width="medium" />
  ));
}
