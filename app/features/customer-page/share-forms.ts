import * as z from "zod/mini";
import { emailAddressMessage, isEmailAddress } from "../../format/email-address";
import { choice, notBlank, trimmedText } from "../../forms/fields";
import { formValidator } from "../../forms/form-validator";
import { languageNames } from "./languages";

export type MailedCode = z.infer<typeof shareSchema>;

const shareSchema = z.object({
  email: trimmedText.check(
    notBlank("Email is required"),
    z.refine(isEmailAddress, emailAddressMessage),
  ),
  language: choice(languageNames, "Choose a language"),
});

export const shareValidator = formValidator(shareSchema);
