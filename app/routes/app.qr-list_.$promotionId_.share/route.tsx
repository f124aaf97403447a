// Without script: a plain form and links; the address is copied by hand.
import { Link, useLoaderData } from "@remix-run/react";
import { cardPath, customerAddress } from "../../features/customer-page/address.server";
import { languageNames } from "../../features/customer-page/languages";
import {
  getSharedCode,
  mailCode,
  maxMailsADay,
} from "../../features/customer-page/share-code.server";
import { shareValidator } from "../../features/customer-page/share-forms";
import { queuedMessage } from "../../features/outgoing/outgoing.server";
import { StatusBadge } from "../../features/promotions/status-badge";
import { formatCode } from "../../format/promotion";
import { pageMeta } from "../../forms/page-meta";
import { rerenderForm } from "../../forms/validator";
import { formAction, formLoader } from "../../http/form-action.server";
import { requireEditor } from "../../http/guards.server";
import { paths } from "../../paths";
import { ButtonLink } from "../../ui/form/button";
import { CopyButton } from "../../ui/form/copy-button";
import { InputField } from "../../ui/form/field";
import { IdempotencyKey } from "../../ui/form/idempotency-key";
import { useLastMessage } from "../../ui/form/last-message";
import { FormCard } from "../../ui/layout/detail";
import { actions, parts } from "../../ui/layout/layout.css";
import { Page } from "../../ui/layout/page";
import { Form, FormSubmit, RadioGroup, TextField } from "../../ui/validated-form/form";

export const meta = pageMeta("Share");

export const loader = formLoader(requireEditor, async ({ params }, { user }) => {
  const { id, name, code, status } = await getSharedCode(params.promotionId ?? "");
  const address = customerAddress(code);
  const cards = Object.entries(languageNames).map(([language, label]) => ({
    to: cardPath(id, language),
    label,
  }));
  const isAdmin = user.role === "admin";
  return { id, name, code: formatCode(code), status, address, cards, maxMailsADay, isAdmin };
});

export const handle = { nameOf: ({ name }: { name?: string }) => name ?? "" };

export const action = formAction({
  guard: requireEditor,
  validator: shareValidator,
  async run(mail, { params, options }) {
    const id = params.promotionId ?? "";
    await mailCode(id, mail, options);
    const to = paths.codeSharing(id);
    const message = { to, text: `The code is being mailed to ${mail.email}` };
    return queuedMessage(message, `The code will be mailed to ${mail.email}`);
  },
});

export const clientAction = rerenderForm("Error mailing code");

export default function SharePage() {
  const { id, name, code, status, address, cards, maxMailsADay, isAdmin } =
    useLoaderData<typeof loader>();
  return (
    <Page
      title={`Share: ${name}`}
      beside={
        <>
          <StatusBadge status={status} />
          <code>{code}</code>
        </>
      }
      actions={<ButtonLink to={paths.promotion(id)}>Show code</ButtonLink>}
    >
      <div className={parts}>
        <FormCard title="Address">
          {address === null ? (
            <p>
              No address yet. An admin sets up the page for customers in the{" "}
              {isAdmin ? <Link to={paths.settings}>settings</Link> : "settings"}.
            </p>
          ) : (
            <InputField
              name="address"
              label="Address of the page for customers"
              readOnly
              value={address}
              after={<CopyButton text={address} />}
            />
          )}
        </FormCard>
        <FormCard title="Mail">
          {/* After a mail was sent, the form is for another customer. */}
          <Form
            key={useLastMessage()}
            id="share"
            validator={shareValidator}
            defaultValues={{ language: "en" }}
          >
            <IdempotencyKey />
            <TextField
              name="email"
              label="Email address of the customer"
              hint={`The mail has the QR code, and says what it gives, until when and where. You can send ${maxMailsADay} a day.`}
              inputMode="email"
            />
            <RadioGroup name="language" legend="Language" options={languageNames} />
            <FormSubmit pendingLabel="Sending..." label="Send mail" />
          </Form>
        </FormCard>
        <FormCard title="Card">
          <p>
            A card with the QR code, what it gives, until when and where. Its page opens for
            printing.
          </p>
          <div className={actions}>
            {cards.map(({ to, label }) => (
              <ButtonLink key={to} to={to} reloadDocument target="_blank">
                Open card in {label}
              </ButtonLink>
            ))}
          </div>
        </FormCard>
      </div>
    </Page>
  );
}
