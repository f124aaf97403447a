// Without script: the same; the fields are folded up until they are filled.
import { TextField } from "../../../ui/validated-form/form";
import { patternTexts } from "./code-pattern";
import { FoldedFields } from "./folded-fields";

/** The operator's own form of codes; both fields may stay empty. */
export function PatternFields() {
  return (
    <FoldedFields title="Code pattern" names={Object.keys(patternTexts)}>
      <TextField
        name="code_prefix"
        label="Prefix"
        hint="Letters and digits that each code begins with, such as SUMMER. Random ones follow."
        width="medium"
      />
      <TextField
        name="code_length"
        label="Length"
        hint="Characters in all, at most 32, of which 11 at least are random. If empty, 12 random ones."
        width="short"
        inputMode="numeric"
      />
    </FoldedFields>
  );
}
