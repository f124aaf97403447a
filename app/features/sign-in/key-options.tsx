// Without script: native boxes and radios.
import { RadioGroup } from "../../ui/validated-form/form";
import { keyDays, keyScopes, type KeyScope } from "./key-scopes";

/** The fields of a new key: what it may do, and for how long. */
export function KeyOptions({ scopes }: { scopes: readonly KeyScope[] }) {
  const options = Object.fromEntries(scopes.map((scope) => [scope, keyScopes[scope]]));
  return (
    <>
      <RadioGroup type="checkbox" name="scopes" legend="The key may" options={options} />
      <RadioGroup name="days" legend="Valid for" options={keyDays} />
    </>
  );
}
