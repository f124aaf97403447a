// Without script: the same fields.
import { RadioGroup } from "../../ui/form/choice-fields";
import { TextField } from "../../ui/form/text-field";
import { groupKinds, groupKindLabels } from "./machine-group";

/** The fields for the name and the kind of a group. */
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
