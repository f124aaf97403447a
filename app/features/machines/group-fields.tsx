// Without script: the same fields.
import { RadioGroup, TextField } from "../../ui/validated-form/form";
import { groupKindLabels } from "./machine-group";

export function GroupFields() {
  return (
    <>
      <TextField name="name" label="Name" hint="Required. Each group needs a different name." />
      <RadioGroup name="kind" legend="Kind" options={groupKindLabels} />
    </>
  );
}
