import { queuedMessage } from "../../features/outgoing/outgoing.server";
import { newUserValidator } from "../../features/people/managed-user";
import { photoField } from "../../features/people/photo-rules";
import { readChosenPhoto } from "../../features/people/photos.server";
import { createManagedUser } from "../../features/people/user-admin.server";
import { UserFields } from "../../features/people/user-fields";
import { optionalPictureError } from "../../features/pictures/picture-rules";
import { pageMeta } from "../../forms/page-meta";
import { rerenderForm } from "../../forms/validator";
import { confirmed, formAction, formLoader } from "../../http/form-action.server";
import { requireAdmin } from "../../http/guards.server";
import { paths } from "../../paths";
import { ButtonLink } from "../../ui/form/button";
import { Form, FormSubmit } from "../../ui/validated-form/form";
import { IdempotencyKey } from "../../ui/form/idempotency-key";
import { hint } from "../../ui/form/form.css";
import { formCard } from "../../ui/layout/layout.css";
import { Card, Page } from "../../ui/layout/page";

export const meta = pageMeta();

export const loader = formLoader(requireAdmin, async () => ({}));

export const action = formAction({
  guard: requireAdmin,
  validator: newUserValidator,
  secrets: [photoField],
  run: confirmed(async (user, post) => {
    const photo = await readChosenPhoto(post.posted);
    await createManagedUser(user, post.options, photo);
    const created = { to: paths.users, text: "Users created" };
    // A user who is disabled gets no invitation yet.
    if (user.disabled) return created;
    const text = `Users created. An invitation to ${user.email}`;
    return queuedMessage({ ...created, text: `${text} is on its way.` }, `${text} will be sent`);
  }),
});

export const clientAction = rerenderForm("Error creating user", optionalPictureError);

export default function NewUser() {
  return (
    <Page title="Invite user">
      <Card className={formCard}>
        <Form
          id="new-user"
          validator={newUserValidator}
          defaultValues={{ role: "user" }}
          encType="multipart/form-data"
        >
          <IdempotencyKey />
          <UserFields isNew />
          <p className={hint}>
            The user gets a mail with a link to set a password, unless the account is disabled.
          </p>
          <FormSubmit pendingLabel="Inviting..." label="Invite user">
            <ButtonLink to={paths.users}>Cancel</ButtonLink>
          </FormSubmit>
        </Form>
      </Card>
    </Page>
  );
}
