// Without script: the same; the fields are folded up until one is filled.
import { useFormContext } from "remix-validated-form";
import { CapFields } from "../../caps/cap-fields";
import { capTexts } from "../../caps/cap-texts";
import { FoldedFields } from "./folded-fields";

/** The caps of a campaign that is created. */
export function FoldedCaps() {
  const { fieldErrors, defaultValues } = useFormContext();
  const isOpen = Object.keys(capTexts).some((name) => fieldErrors[name] || defaultValues?.[name]);
  return (
    <FoldedFields title="Caps" isOpen={isOpen}>
      <CapFields />
    </FoldedFields>
  );
}
