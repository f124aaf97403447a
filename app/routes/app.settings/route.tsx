// Without script: the same; a form that is not accepted comes back filled, but for the file of the logo.
import { Link, useLoaderData } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import {
  isPayloadOurs,
  neededPayload,
  previewPath,
} from "../../features/customer-page/address.server";
import { languageNames } from "../../features/customer-page/languages";
import { askForLimit, rejectWithoutSecondAdmin } from "../../features/approvals/approvals.server";
import { findLimitRequest } from "../../features/approvals/list-approvals.server";
import { settingsHistory } from "../../features/activity/audit-log.server";
import {
  readChosenLogo,
  saveSettings,
  type SettingsEdit,
} from "../../features/settings/edit-settings.server";
import {
  describeSetting,
  logoField,
  settingNames,
  settingRow,
  settingsValidator,
  toFieldValue,
  type SettingName,
  type Settings,
} from "../../features/settings/setting";
import {
  effectiveSettings,
  fixedSettings,
  readStoredSettings,
} from "../../features/settings/settings.server";
import { environment } from "../../env.server";
import { DomainError } from "../../errors";
import { optionalPictureError } from "../../features/pictures/picture-rules";
import { pageMeta } from "../../forms/page-meta";
import { rerenderForm } from "../../forms/validator";
import { type FormPost, formLoader, formsAction } from "../../http/form-action.server";
import { requireAdmin } from "../../http/guards.server";
import { paths } from "../../paths";
import { ButtonLink } from "../../ui/form/button";
import { DetailColumns } from "../../ui/layout/detail";
import { FactList, Page } from "../../ui/layout/page";
import { useIsConflict } from "../../ui/validated-form/version-field";
import { SettingsForm } from "./settings-form";

export const meta = pageMeta();

const fixedNames = () => Object.keys(fixedSettings()) as SettingName[];

export const loader = formLoader(requireAdmin, async () => {
  const [stored, [latest], waiting] = await Promise.all([
    readStoredSettings(),
    settingsHistory(),
    findLimitRequest(),
  ]);
  const values = effectiveSettings(stored);
  const entries = settingNames.map((name) => [name, values[name]] as const);
  return {
    timeZone: siteTimeZone(),
    version: stored.version,
    fields: Object.fromEntries(entries.map(([name, value]) => [name, toFieldValue(value)])),
    texts: Object.fromEntries(entries.map(([name, value]) => [name, describeSetting(name, value)])),
    fixed: fixedNames(),
    logo: stored.logo?.digest ?? null,
    customerPage: {
      isPayloadOurs: isPayloadOurs(),
      address: isPayloadOurs() ? environment().qrPayload : neededPayload(),
      previews: [
        ...Object.entries(languageNames).map(([lang, label]) => ({
          to: previewPath(lang),
          label,
          lang,
        })),
        { to: previewPath("en", "unknown"), label: "a wrong code", lang: "en" },
      ],
    },
    waiting,
    lastChange: latest ? { actor: latest.actor, occurredAt: latest.occurredAt } : null,
  };
});

export const action = formsAction({
  guard: requireAdmin,
  secrets: [logoField],
  forms: { save },
});

/** Checks fields and file before anything is saved, so that all messages appear at once. */
async function save({ posted, options }: FormPost) {
  const { data, error } = await settingsValidator(fixedNames()).validate(posted);
  const logo = await readChosenLogo(posted).catch((cause: unknown) => {
    if (cause instanceof DomainError && cause.reason === "invalid") return cause;
    throw cause;
  });
  const errors = { ...error?.fieldErrors, ...(logo instanceof DomainError && logo.fields) };
  if (!data || logo instanceof DomainError) return { errors, status: 422 };
  const edit = data as SettingsEdit & Pick<Settings, "approvalCodes">;
  const { approvalCodes } = edit;
  await rejectWithoutSecondAdmin(approvalCodes);
  await saveSettings(edit, logo, options);
  const approvalId = await askForLimit(approvalCodes, options);
  if (approvalId === null) return { to: paths.settings, text: "Settings saved" };
  const text = "Settings saved. The new limit of codes waits for a second admin.";
  return { to: paths.approval(approvalId), text };
}

export const clientAction = rerenderForm("Error saving settings", optionalPictureError);

export default function SettingsScreen() {
  const page = useLoaderData<typeof loader>();
  const isConflict = useIsConflict();
  const { lastChange, texts, waiting } = page;
  return (
    <Page
      title="Settings"
      actions={<ButtonLink to={paths.settingsHistory}>Show changes</ButtonLink>}
    >
      <DetailColumns
        aside={
          <>
            <h2>{isConflict ? "Current settings" : "About these settings"}</h2>
            <FactList
              facts={[
                ...(isConflict
                  ? settingNames.map((name) => [settingRow(name).label, texts[name]!] as const)
                  : []),
                waiting !== null &&
                  ([
                    "Waits for a second admin",
                    <Link key="waiting" to={paths.approval(waiting.id)}>
                      {waiting.name}
                    </Link>,
                  ] as const),
                ["Time zone", `${page.timeZone}, fixed at the first start`],
                ["Last changed", lastChange?.occurredAt ?? "Never"],
                lastChange !== null && (["By", lastChange.actor] as const),
              ]}
            />
          </>
        }
      >
        <SettingsForm page={page} />
      </DetailColumns>
    </Page>
  );
}
