// Without script: the same fields.
import { RadioGroup, TextField } from "../../ui/form/form";
import { groupKinds, groupKindLabels } from "./machine-group";

export function GroupFields() {
  return (
    <>
      <TextField name="name" label="Name" hint="Each group has a name of its own." />
      <RadioGroup
        name="kind"
        legend="What it is"
        options={groupKinds.map((kind) => ({ value: kind, label: groupKindLabels[kind] }))}
      />
    </>
  );
}
