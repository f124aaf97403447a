// Without script: the same form. One that is not accepted comes back filled.
import type { ComponentProps, ReactNode } from "react";
import { Form, TextField } from "../../ui/validated-form/form";
import { IdempotencyKey } from "../../ui/form/idempotency-key";
import { VersionField } from "../../ui/validated-form/version-field";

const fields = {
  firstName: { label: "First name", autoComplete: "given-name" },
  lastName: { label: "Last name", autoComplete: "family-name" },
  phone: { label: "Phone number", autoComplete: "tel", type: "tel", width: "medium" },
  company: { label: "Company", autoComplete: "organization" },
} as const;

type Field = keyof typeof fields;

/** The fields that a page shows, in its order, with their values. */
type Values = Partial<Record<Field, string>>;
type Labels = Partial<Record<Field, string>>;

const entriesOf = (values: Values) => Object.entries(values) as [Field, string][];

/** Returns the stored values of a profile, which a page shows where its form doesn't. */
export function profileFacts(values: Values, labels: Labels = {}) {
  return entriesOf(values).map(
    ([name, value]) => [labels[name] ?? fields[name].label, value || "–"] as const,
  );
}

/** The form in which people change their own profile, or a part of it. */
export function ProfileForm<Input extends Record<string, unknown>>({
  page: { values, version, email },
  labels = {},
  children,
  ...form
}: Pick<ComponentProps<typeof Form<Input>>, "id" | "validator"> & {
  page: { values: Values; version: number; email: string };
  labels?: Labels;
  children: ReactNode;
}) {
  return (
    <Form {...form} defaultValues={values}>
      <IdempotencyKey />
      <VersionField version={version} />
      <input type="hidden" name="account" value={email} />
      {entriesOf(values).map(([name]) => (
        <TextField
          key={name}
          name={name}
          {...fields[name]}
          {...(labels[name] && { label: labels[name] })}
        />
      ))}
      {children}
    </Form>
  );
}
