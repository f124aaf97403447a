// Without script: the same.
import { TextField } from "../../ui/validated-form/form";
import { capLabels } from "./cap-texts";

/** The caps of a campaign; each may stay empty. */
export function CapFields() {
  return Object.entries(capLabels).map(([name, [label, hint]]) => (
    <TextField key={name} name={name} label={label} hint={hint} width="medium" />
  ));
}
