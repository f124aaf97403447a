// Without script: native boxes and radios.
import { Checkbox, RadioGroup } from "../../ui/validated-form/form";
import * as form from "../../ui/form/form.css";
import { keyDays, keyScopes, type KeyScope } from "./key-scopes";

/** The fields of a new key: what it may do, and for how long. */
export function KeyOptions({ scopes }: { scopes: readonly KeyScope[] }) {
  return (
    <>
      <fieldset className={form.fieldset}>
        <legend className={form.legend}>The key may</legend>
        {scopes.map((scope) => (
          <Checkbox key={scope} name={`scope_${scope}`} label={keyScopes[scope]} />
        ))}
      </fieldset>
      <RadioGroup name="days" legend="Valid for" options={keyDays} />
    </>
  );
}
