import * as z from "zod/mini";
import { emailAddressMessage, isEmailAddress } from "../../format/email-address";
import { notBlank, shortText, trimmedText } from "../../forms/fields";

/** Fields of an account that people fill in when they sign up, and admins for others. */
export const accountFields = {
  firstName: shortText(100),
  lastName: shortText(100),
  email: trimmedText.check(
    notBlank("Email is required"),
    // The check follows, because 'İ' is two characters in lower case.
    z.toLowerCase(),
    z.refine(isEmailAddress, emailAddressMessage),
  ),
};
