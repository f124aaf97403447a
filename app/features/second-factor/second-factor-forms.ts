import * as z from "zod/mini";
import { labelledText, notBlank, text } from "../../forms/fields";
import { formValidator } from "../../forms/form-validator";

export const setUpFirstMessage = "Set up two-step verification on your profile first.";

/** Six digits, however they are grouped. */
export const codeValidator = formValidator(
  z.object({
    code: text.check(
      z.overwrite((code) => code.replace(/[\s-]/g, "")),
      z.regex(/^\d{6}$/, "Enter the six digits"),
    ),
  }),
  "confirm",
);

export const passkeyNameSchema = z.object({
  name: labelledText("Name", 100).check(notBlank("Enter a name for the passkey")),
});

/** The name of a new passkey, before the browser is asked for it. */
export const passkeyNameValidator = formValidator(passkeyNameSchema, "start");
