/** All kinds of alerts, a row each: who can mend it, where it is found, what it says and the button that mends it. */
import type { CampaignRef } from "../activity/subject";
import { describeApproval } from "../approvals/approval";
import { listPendingApprovals } from "../approvals/list-approvals.server";
import { listNearCaps } from "../caps/caps.server";
import { formatCents } from "../../format/money";
import { siteFormat } from "../settings/settings.server";
import { readLastBackup, siteTimeZone } from "../../db/site.server";
import { formatDateTime } from "../../format/date";
import { countOf, formatNumber, formatShare } from "../../format/number";
import { formatCode } from "../../format/promotion";
import { paths, serverPaths } from "../../paths";
import { listEndingKeys } from "../integrations/ending-keys.server";
import { describeEnding, describeRefusedKey } from "../integrations/integration";
import { listRefusedKeys } from "../integrations/refused-keys.server";
import type { MachineChoice } from "../machines/machine";
import { platformKind } from "../machines/platform.server";
import { readPlatformState, toPlatformView } from "../machines/platform-state.server";
import { listFailedMails } from "../mail/failed-mails.server";
import {
  listEndingCampaigns,
  listUnassignedCampaigns,
} from "../promotions/campaigns-to-mend.server";
import { formatExpiry } from "../promotions/expiry-date";
import { listBursts, listUnknownMachines } from "../redemptions/suspicious-attempts.server";
import { listUsedCampaigns } from "../reports/campaign-uses.server";
import { listSilentMachines, listUnusualRefusals } from "../reports/unusual-machines.server";
import { canEdit, type Reader } from "../sign-in/user";
import { listWebhooks } from "../webhooks/webhooks.server";
import type { AlertButton } from "./alert";

/** At most so many alerts of a kind are raised at once. */
const maxOfKind = 100;

export type CurrentAlert = {
  subject: string;
  message: string;
  button: AlertButton;
  isMailed: boolean;
};

type AlertKind = {
  label: string;
  /** Users see what they can mend; admins see all. */
  role: "user" | "admin";
  /** Returns null if it can't be told now: then nothing is raised and nothing is cleared. */
  find: () => Promise<CurrentAlert[] | null>;
};

/** A row of the table, with the facts that its feature knows of each subject. */
function alertKind<Facts>({
  list,
  subject,
  message,
  button,
  hasOwnMail = () => false,
  ...kind
}: Pick<AlertKind, "label" | "role"> & {
  list: (limit: number) => Promise<readonly Facts[] | null>;
  /** Names the thing that it is about: 'machine:3'. */
  subject: (facts: Facts) => string;
  message: (facts: Facts) => string;
  button: (facts: Facts) => AlertButton;
  /** Whether a mail of its own tells of it, which mails about alerts need not repeat. */
  hasOwnMail?: (facts: Facts) => boolean;
}): AlertKind {
  const toAlert = (facts: Facts) => ({
    subject: subject(facts),
    message: message(facts),
    button: button(facts),
    isMailed: !hasOwnMail(facts),
  });
  return {
    ...kind,
    find: async () => (await list(maxOfKind))?.slice(0, maxOfKind).map(toAlert) ?? null,
  };
}

const machineName = ({ serialNumber, humanName }: MachineChoice) =>
  humanName ? `"${humanName}" (${serialNumber})` : serialNumber;

type ToPath = (id: string) => string;
const campaignSubject = ({ type, id }: CampaignRef) => `${type}:${id}`;
/** Returns an address of a single code or of a mass generation. */
const campaignPath = ({ type, id }: CampaignRef, ofCode: ToPath, ofMass: ToPath) =>
  type === "promotion" ? ofCode(id) : ofMass(id);
const duplicate = (campaign: CampaignRef) => ({
  label: "Duplicate campaign",
  to: campaignPath(campaign, paths.duplicatePromotion, paths.duplicateGeneration),
});

export const alertKinds = {
  approval_waiting: alertKind({
    label: "Waits for a second admin",
    role: "admin",
    list: listPendingApprovals,
    subject: ({ id }) => `approval:${id}`,
    message: describeApproval,
    button: ({ id }) => ({ label: "Open request", to: paths.approval(id) }),
  }),
  machine_refusals: alertKind({
    label: "Refuses often",
    role: "user",
    list: listUnusualRefusals,
    subject: ({ id }) => `machine:${id}`,
    message: ({ refused, attempts, before, ...machine }) =>
      `Machine ${machineName(machine)} refused ${formatNumber(refused)} of ${formatNumber(attempts)} attempts in 24 hours, ${formatShare(refused, attempts)}. ` +
      (before.attempts > 0
        ? `In the 28 days before it was ${formatShare(before.refused, before.attempts)}.`
        : "In the 28 days before there were no attempts."),
    button: ({ serialNumber }) => ({
      label: "Show refused attempts",
      to: `${paths.refusals}?${new URLSearchParams({ machine: serialNumber })}`,
    }),
  }),
  machine_silent: alertKind({
    label: "Silent machine",
    role: "user",
    list: listSilentMachines,
    subject: ({ id }) => `machine:${id}`,
    message: ({ lastUsedAt, ...machine }) =>
      `Machine ${machineName(machine)} has redeemed nothing since ${formatDateTime(lastUsedAt, siteTimeZone())}, though it is used on most days.`,
    button: ({ serialNumber }) => ({ label: "Open machine", to: paths.machine(serialNumber) }),
  }),
  campaign_nearly_used: alertKind({
    label: "Nearly used up",
    role: "user",
    list: (limit) => listUsedCampaigns({ isUsedUp: false }, limit),
    subject: campaignSubject,
    message: ({ name, used, uses }) =>
      `"${name}" has used ${formatNumber(used)} of its ${formatNumber(uses)} uses, ${formatShare(used, uses)}.`,
    button: duplicate,
  }),
  campaign_used_up: alertKind({
    label: "Used up",
    role: "user",
    list: (limit) => listUsedCampaigns({ isUsedUp: true }, limit),
    subject: campaignSubject,
    message: ({ name, uses }) => `"${name}" has used all of its ${formatNumber(uses)} uses.`,
    button: duplicate,
  }),
  campaign_capped: alertKind({
    label: "Near a cap",
    role: "user",
    list: listNearCaps,
    // Another alert once it is reached.
    subject: ({ type, id, cap, used, total }) =>
      [type, id, cap, used >= total && "reached"].filter(Boolean).join(":"),
    message: ({ name, cap, used, total }) => {
      const write = (value: number) =>
        cap === "money" ? formatCents(value, siteFormat().currency) : formatNumber(value);
      return `"${name}" has used ${write(used)} of the ${write(total)} of its cap on ${cap}.`;
    },
    button: (campaign) => ({
      label: "Change caps",
      to: campaignPath(campaign, paths.promotionCaps, paths.generationCaps),
    }),
  }),
  campaign_ending: alertKind({
    label: "Ends soon",
    role: "user",
    list: listEndingCampaigns,
    subject: campaignSubject,
    message: ({ name, expiresAt }) =>
      `"${name}" is valid until ${formatExpiry(expiresAt!, siteTimeZone())}.`,
    button: (campaign) => ({
      label: "Extend campaign",
      to: campaignPath(campaign, paths.promotion, paths.generation),
    }),
  }),
  campaign_unassigned: alertKind({
    label: "Not assigned",
    role: "user",
    list: listUnassignedCampaigns,
    subject: campaignSubject,
    message: ({ name }) => `"${name}" is assigned to no machine and no group.`,
    button: (campaign) => ({
      label: "Assign machines",
      to: campaignPath(campaign, paths.promotionMachines, paths.generationMachines),
    }),
  }),
  code_burst: alertKind({
    label: "Many redemptions",
    role: "user",
    list: listBursts,
    subject: ({ id }) => `promotion:${id}`,
    message: ({ name, code, redemptions, lastAt }) =>
      `"${name}" (${formatCode(code)}) was redeemed ${formatNumber(redemptions)} times within a minute, until ${formatDateTime(lastAt, siteTimeZone())}.`,
    button: ({ id }) => ({ label: "Open code", to: paths.promotion(id) }),
  }),
  machine_unknown: alertKind({
    label: "Unknown machine",
    role: "admin",
    list: async (limit) => {
      const [machines, kind] = await Promise.all([listUnknownMachines(limit), platformKind()]);
      return machines.map((machine) => ({ ...machine, hasPlatform: kind !== "none" }));
    },
    subject: ({ serialNumber }) => `serial_number:${serialNumber}`,
    message: ({ serialNumber, attempts }) =>
      `An unknown machine asks for codes: ${serialNumber}, ${countOf(attempts, "attempt")} in 24 hours.`,
    button: ({ serialNumber, hasPlatform }) =>
      hasPlatform
        ? { label: "Open machines", to: paths.machines }
        : { label: "Add machine", to: serverPaths.newMachine(serialNumber) },
  }),
  sync_failed: alertKind({
    label: "Refresh failed",
    role: "user",
    list: async () => {
      const { failure } = await readPlatformState();
      return failure ? [failure] : [];
    },
    subject: () => "platform",
    message: ({ message, since }) =>
      `${message} No refresh of the machines has succeeded since ${formatDateTime(since, siteTimeZone())}.`,
    button: () => ({ label: "Refresh machines", to: paths.machinesRefresh, isPost: true }),
  }),
  sync_held: alertKind({
    label: "Machines missing",
    role: "admin",
    list: async () => {
      const { held } = toPlatformView(await readPlatformState(), siteTimeZone());
      return held === null ? [] : [held];
    },
    subject: () => "platform",
    message: (held) => `${held} It waits for an admin.`,
    button: () => ({ label: "Review list", to: paths.machinesConfirmation }),
  }),
  key_ending: alertKind({
    label: "Key ends soon",
    role: "admin",
    list: listEndingKeys,
    subject: ({ integrationId }) => `integration:${integrationId}`,
    message: (keys) => describeEnding(keys, siteTimeZone()),
    button: ({ integrationId }) => ({ label: "Show keys", to: paths.integration(integrationId) }),
    hasOwnMail: () => true,
  }),
  key_refused: alertKind({
    label: "Ended key in use",
    role: "admin",
    list: listRefusedKeys,
    subject: ({ id }) => `key:${id}`,
    message: describeRefusedKey,
    button: ({ integrationId }) => ({ label: "Show keys", to: paths.integration(integrationId!) }),
  }),
  webhook_failing: alertKind({
    label: "Webhook fails",
    role: "admin",
    list: async () =>
      (await listWebhooks()).filter(({ isEnabled, failure, disabledReason }) =>
        isEnabled ? failure : disabledReason,
      ),
    // Another alert once it is disabled, which has its own mail.
    subject: ({ id, isEnabled }) => (isEnabled ? `webhook:${id}` : `webhook:${id}:disabled`),
    message: ({ url, isEnabled, failure, disabledReason }) =>
      isEnabled
        ? `The webhook ${url} has been failing since ${formatDateTime(failure!.since, siteTimeZone())}: ${failure!.reason}`
        : `The webhook ${url} was disabled: ${disabledReason}`,
    button: ({ id }) => ({ label: "Open webhook", to: paths.webhook(id) }),
    hasOwnMail: ({ isEnabled }) => !isEnabled,
  }),
  mail_failed: alertKind({
    label: "Mail failed",
    role: "admin",
    list: (limit) => listFailedMails(siteTimeZone(), limit),
    subject: ({ id }) => `mail:${id}`,
    message: ({ text }) => text,
    button: ({ canRetry, jobId }) =>
      canRetry
        ? { label: "Send again", to: paths.jobRun(jobId), isPost: true }
        : { label: "Open outgoing mail", to: paths.outgoingMail },
    // A mail about it would fail as well, and be told of.
    hasOwnMail: ({ template }) => template === "alerts",
  }),
  backup_old: alertKind({
    label: "Old backup",
    role: "admin",
    list: async () => {
      const backup = await readLastBackup();
      return backup && backup.days >= 8 ? [backup] : [];
    },
    subject: () => "backup",
    message: ({ backedUpAt }) =>
      `The last backup was made on ${formatDateTime(backedUpAt, siteTimeZone())}.`,
    button: () => ({ label: "How to back up", to: `${paths.support}#backup` }),
  }),
} satisfies Record<string, AlertKind>;

export type AlertKindName = keyof typeof alertKinds;

const rows = Object.entries(alertKinds) as [AlertKindName, AlertKind][];

/** Returns the names of the kinds that a person sees, with their labels: viewers can mend nothing and see none. */
export function kindsFor(reader: Reader): Record<string, string> {
  const visible = rows.filter(
    ([, { role }]) => canEdit(reader) && (role === "user" || reader.role === "admin"),
  );
  return Object.fromEntries(visible.map(([name, { label }]) => [name, label]));
}
