// Without script: a plain post of native controls.
import type { SerializeFrom } from "@remix-run/node";
import { Fragment, useMemo } from "react";
import { useField } from "remix-validated-form";
import { PictureField } from "../../features/pictures/picture-field";
import {
  logoField,
  removeLogoField,
  sections,
  settingNames,
  settingRow,
  settingsValidator,
  type SettingName,
} from "../../features/settings/setting";
import { MessageBlock } from "../../ui/feedback/message-block";
import { optional } from "../../ui/form/field";
import * as form from "../../ui/form/form.css";
import { IdempotencyKey } from "../../ui/form/idempotency-key";
import { useLastMessage } from "../../ui/form/last-message";
import { CardSection } from "../../ui/layout/detail";
import { onPaper } from "../../ui/layout/layout.css";
import { FactList } from "../../ui/layout/page";
import { Checkbox, Form, FormSubmit, RadioGroup, TextField } from "../../ui/validated-form/form";
import { VersionField } from "../../ui/validated-form/version-field";
import type { loader } from "./route";

type SettingsPage = SerializeFrom<typeof loader>;

const namesOf = (section: string) =>
  settingNames.filter((name) => settingRow(name).section === section);

export function SettingsForm({ page }: { page: SettingsPage }) {
  const { fields, fixed, version, logo } = page;
  const key = fixed.join();
  // eslint-disable-next-line react-hooks/exhaustive-deps -- the list is another one after each load
  const validator = useMemo(() => settingsValidator(fixed), [key]);
  return (
    <>
      <Form
        id="settings"
        validator={validator}
        defaultValues={fields}
        encType="multipart/form-data"
        preventScrollReset
      >
        <IdempotencyKey key={useLastMessage()} />
        <VersionField version={version} />
        {sections.map((section) => (
          <CardSection key={section} title={section}>
            {namesOf(section).map((name) =>
              fixed.includes(name) ? (
                <FixedSetting key={name} name={name} text={page.texts[name]!} />
              ) : (
                <SettingField key={name} name={name} />
              ),
            )}
            {section === "Site" && <LogoFields key={logo} hasLogo={logo !== null} />}
            {section === "Customer page" && <CustomerPageNote note={page.customerPage} />}
          </CardSection>
        ))}
        <FormSubmit name="intent" value="save" pendingLabel="Saving..." label="Save settings" />
      </Form>
      {sections.map((section) => (
        <div key={section} className={onPaper}>
          <h2>{section}</h2>
          <FactList
            facts={namesOf(section).map((name) => [settingRow(name).label, page.texts[name]!])}
          />
        </div>
      ))}
    </>
  );
}

function SettingField({ name }: { name: SettingName }) {
  const { label, hint, control } = settingRow(name);
  switch (control.type) {
    case "tick":
      return <Checkbox name={name} label={label} hint={hint} />;
    case "choice":
      return <RadioGroup name={name} legend={label} options={control.labels} />;
    case "number":
      return (
        <TextField
          name={name}
          label={control.unit ? `${label}, in ${control.unit}` : label}
          hint={hint}
          inputMode="numeric"
          width="short"
        />
      );
    case "text":
      return <TextField name={name} label={label} hint={hint} width={control.width} />;
    case "colour":
      return <TextField name={name} label={label} hint={hint} type="color" width="short" />;
  }
}

/** A setting that the environment decides. */
function FixedSetting({ name, text }: { name: SettingName; text: string }) {
  const { label, variable } = settingRow(name);
  return (
    <dl className={form.field}>
      <dt className={form.label}>{label}</dt>
      <dd>{text}</dd>
      <dd className={form.hint}>Set by {variable} in the environment</dd>
    </dl>
  );
}

/** Says where the page is, or what it lacks, and shows how it looks with the saved settings. */
function CustomerPageNote({ note }: { note: SettingsPage["customerPage"] }) {
  const { address, isPayloadOurs, previews } = note;
  return (
    <>
      <MessageBlock kind={isPayloadOurs ? "info" : "warning"}>
        {isPayloadOurs
          ? `QR codes hold the address ${address}.`
          : `QR codes don't hold an address of this site, so customers can't see the page. Set QR_PAYLOAD to ${address} in the environment, and print new QR codes.`}
      </MessageBlock>
      <p>
        Preview of what is saved:{" "}
        {previews.map(({ to, label, lang }, index) => (
          <Fragment key={to}>
            {index > 0 && ", "}
            <a href={to} target="_blank" lang={lang}>
              {label}
            </a>
          </Fragment>
        ))}
      </p>
    </>
  );
}

/** Fields of the logo. Their key is the saved logo, so that a save empties them. */
function LogoFields({ hasLogo }: { hasLogo: boolean }) {
  const { error } = useField(logoField);
  return (
    <>
      <PictureField
        name={logoField}
        label={optional(hasLogo ? "New logo" : "Logo")}
        hint=".PNG, .JPG, .JPEG or .WEBP, up to 2 MB. Shown beside the name, 32 pixels high."
        error={error}
      />
      {hasLogo && <Checkbox name={removeLogoField} label="Remove the logo" />}
    </>
  );
}
