// Without script: a file input and buttons that are plain forms.
import { Form as PlainForm, useActionData, useNavigation } from "@remix-run/react";
import { muted, visuallyHidden } from "#styles/global.css";
import { PictureField } from "../../features/pictures/picture-field";
import {
  maxPhotos,
  photoField,
  photoFormId,
  photoHint,
  photoIntents,
} from "../../features/people/photo-rules";
import { formIdField, wholeFormError } from "../../forms/validator";
import { paths } from "../../paths";
import { Badge } from "../../ui/feedback/badge";
import { FailureNote, useRefusedField } from "../../ui/feedback/message-block";
import { SubmitButton } from "../../ui/form/button";
import * as form from "../../ui/form/form.css";
import { IdempotencyKey } from "../../ui/form/idempotency-key";
import { useLastAdded } from "../../ui/form/last-added";
import { PostButton, type PostAnswer } from "../../ui/form/post-button";
import { Avatar } from "../../ui/layout/avatar";
import { CardSection } from "../../ui/layout/detail";
import { actions } from "../../ui/layout/layout.css";
import { DialogLink } from "../../ui/overlay/dialog-route";
import * as css from "./photos.css";
import type { AccountProfileData } from "./route";

export function Photos({ page: { photos } }: { page: AccountProfileData }) {
  const lastAdded = useLastAdded(photos);
  return (
    <CardSection title="Photos">
      {photos.length === 0 ? (
        <p className={muted}>No photos yet.</p>
      ) : (
        <ul className={css.gallery}>
          {photos.map(({ id, name, size, isUsed }) => (
            <li key={id} className={css.photo}>
              <Avatar view={{ image: paths.avatarImage(id) }} isLarge />
              <p className={css.name}>
                <bdi>{name}</bdi> <span className={muted}>{size}</span>
              </p>
              {isUsed && <Badge tone="info">Your avatar</Badge>}
              <div className={actions}>
                {!isUsed && (
                  <PostButton
                    intent={photoIntents.use}
                    fields={{ id }}
                    keySuffix={`u-${id}`}
                    pendingLabel="Saving..."
                    size="small"
                  >
                    Use<span className={visuallyHidden}> {name} as avatar</span>
                  </PostButton>
                )}
                <DialogLink to={paths.photoDeletion(id)} size="small" preventScrollReset>
                  Delete<span className={visuallyHidden}> {name}</span>
                </DialogLink>
              </div>
            </li>
          ))}
        </ul>
      )}
      {photos.length < maxPhotos ? (
        <Upload key={lastAdded} />
      ) : (
        <p>You have {maxPhotos} photos. Delete one to upload another.</p>
      )}
    </CardSection>
  );
}

function Upload() {
  const answer = useActionData<PostAnswer>();
  const isPending = useNavigation().formData?.get("intent") === photoIntents.upload;
  const errors = answer?.formId === photoFormId ? answer.fieldErrors : undefined;
  const error = errors?.[photoField];
  const failure = errors?.[wholeFormError];
  useRefusedField(photoField, answer, Boolean(error));
  return (
    <PlainForm method="post" encType="multipart/form-data" preventScrollReset className={form.form}>
      <IdempotencyKey />
      <input type="hidden" name={formIdField} value={photoFormId} />
      <FailureNote isPending={isPending}>{failure}</FailureNote>
      <PictureField name={photoField} label="Photo" hint={photoHint} error={error} isAnswer />
      <div className={form.formActions}>
        <SubmitButton
          name="intent"
          value={photoIntents.upload}
          variant="default"
          isPending={isPending}
          pendingLabel="Uploading..."
        >
          Upload an image
        </SubmitButton>
      </div>
    </PlainForm>
  );
}
