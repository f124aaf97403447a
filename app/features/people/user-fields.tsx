// Without script: the same fields.
import { useField } from "remix-validated-form";
import { optional } from "../../ui/form/field";
import { Checkbox, PasswordAgain, RadioGroup, TextField } from "../../ui/validated-form/form";
import { PictureField } from "../pictures/picture-field";
import { photoField, photoHint } from "./photo-rules";
import { roleLabels, type Role } from "../sign-in/user";

/**
 * The fields that an admin decides about a user.
 * @param own the role, if the user is oneself: nobody changes their own role or disables themselves
 */
export function UserFields({
  own,
  isNew = false,
  isInvited = false,
}: {
  own?: Role;
  isNew?: boolean;
  isInvited?: boolean;
}) {
  return (
    <>
      <TextField
        name="email"
        label="Email"
        type="email"
        hint={[
          "The user signs in with it.",
          !isNew && "Changing it ends all links that were mailed before.",
          isInvited && "The invitation is mailed to the new address.",
        ]
          .filter(Boolean)
          .join(" ")}
        required
      />
      <TextField name="firstName" label={optional("First name")} />
      <TextField name="lastName" label={optional("Last name")} />
      <TextField name="phoneNumber" label={optional("Phone number")} type="tel" width="medium" />
      <Picture />
      {own ? (
        <>
          <input type="hidden" name="role" value={own} />
          <p>You can&apos;t change your own role, and you can&apos;t disable yourself.</p>
        </>
      ) : (
        <>
          <RadioGroup name="role" legend="Role" options={roleLabels} />
          <Checkbox
            name="disabled"
            label="Disabled"
            hint={
              isNew
                ? "The user can't sign in until an admin enables the account."
                : "A disabled user can't sign in and gets no reports by mail. Sessions, tokens and keys end at once."
            }
          />
        </>
      )}
      <PasswordAgain />
    </>
  );
}

function Picture() {
  const { error } = useField(photoField);
  return (
    <PictureField name={photoField} label={optional("Picture")} hint={photoHint} error={error} />
  );
}
