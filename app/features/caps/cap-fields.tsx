// Without script: the same.
import { TextField } from "../../ui/validated-form/form";

/** The caps of a campaign; each may stay empty. */
export function CapFields() {
  return (
    <>
      <TextField
        name="uses"
        label="Uses in all"
        hint="Leave a field empty for no such cap."
        width="medium"
      />
      <TextField name="usesPerDay" label="Uses a day" width="medium" />
      <TextField
        name="usesPerMachineAndDay"
        label="Uses a day and machine"
        hint="At each machine on a day of the site's time zone."
        width="medium"
      />
      <TextField
        name="money"
        label="Money in all"
        hint="An amount such as 500.00."
        width="medium"
      />
      <TextField
        name="lowestPrice"
        label="Lowest price"
        hint="A redemption of a cheaper product is refused."
        width="medium"
      />
      <TextField
        name="highestDiscount"
        label="Highest discount"
        hint="A percentage is cut to it. A free drink that costs more is refused."
        width="medium"
      />
    </>
  );
}
