// Without script: links that look like tabs, and plain forms.
import type { ReactNode } from "react";
import { paths } from "../../paths";
import { ButtonLink } from "../../ui/form/button";
import { FormSubmit } from "../../ui/validated-form/form";
import { formCard } from "../../ui/layout/layout.css";
import { LinkTabs, Page } from "../../ui/layout/page";

const tabs = [
  { to: paths.account, label: "ACCOUNT" },
  { to: paths.accountProfile, label: "PROFILE" },
  { to: paths.accountPassword, label: "CHANGE PASSWORD" },
];

/** One of the three pages of the older profile. */
export function AccountPage({ children }: { children: ReactNode }) {
  return (
    <Page title="Edit your account">
      <LinkTabs label="Parts of your account" tabs={tabs} />
      <div className={formCard}>{children}</div>
    </Page>
  );
}

/** 'Save', and 'Reset', which opens the form anew: the browser's own would go back to rejected values. */
export function SaveAndReset({ label = "Save", path }: { label?: string; path: string }) {
  return (
    <FormSubmit pendingLabel="Saving..." label={label}>
      <ButtonLink to={path} reloadDocument>
        Reset
      </ButtonLink>
    </FormSubmit>
  );
}
