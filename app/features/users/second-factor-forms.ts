import { formSchema, formValidator, postedText } from "../../forms/validator";

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

const bare = (code: string) => code.replace(/[\s-]/g, "");
