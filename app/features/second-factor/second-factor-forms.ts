import { passkeyNameError } from "./passkey";
import { formValidator } from "../../forms/form-validator";
import { formSchema, postedText } from "../../forms/validator";

export const setUpFirstMessage = "Set up two-step verification on your profile first.";

/** Six digits, however they are grouped. */
export const codeValidator = formValidator(
  ["code", "password"],
  formSchema(
    { code: postedText },
    ({ code }) => ({ code: /^\d{6}$/.test(bare(code)) ? null : "Enter the six digits" }),
    ({ code }) => ({ code: bare(code) }),
  ),
  "confirm",
);

/** The name of a new passkey, before the browser is asked for it. */
export const passkeyNameValidator = formValidator(
  ["name", "password"],
  formSchema(
    { name: postedText },
    ({ name }) => ({ name: passkeyNameError(name) }),
    (fields) => fields,
  ),
  "start",
);

const bare = (code: string) => code.replace(/[\s-]/g, "");
