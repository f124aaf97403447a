/** Every address of a screen, in one place. */
export const paths = {
  home: "/",
  login: "/login",
  logout: "/logout",
  help: "/help",
  signUp: "/signup",
  passwordReset: "/password-reset",
  preferences: "/preferences",
  dashboard: "/app/dashboard",
  alerts: "/app/alerts",
  /** Posting there dismisses, mutes or restores it. */
  alert: (alertId: string) => `/app/alerts/${alertId}`,
  alertMails: "/app/alerts/mails",
  sampleData: "/app/sample-data",
  qrList: "/app/qr-list",
  savedViews: "/app/qr-list/views",
  /** The dialog that changes one of them. */
  savedView: (viewId: string) => `/app/qr-list/views?edit=${viewId}`,
  promotion: (promotionId: string) => `/app/qr-list/${promotionId}`,
  qrCode: (promotionId: string) => `/app/qr-list/${promotionId}/download`,
  promotionMachines: (promotionId: string) => `/app/qr-list/${promotionId}/machines`,
  duplicatePromotion: (promotionId: string) => `/app/qr-generation?from=${promotionId}`,
  qrImage: (promotionId: string) => `/app/qr-list/${promotionId}/qr.png`,
  qrDrawing: (promotionId: string) => `/app/qr-list/${promotionId}/qr.svg`,
  promotionDeactivation: (promotionId: string) => `/app/qr-list/${promotionId}/deactivate`,
  promotionDeletion: (promotionId: string) => `/app/qr-list/${promotionId}/delete`,
  promotionRestoring: (promotionId: string) => `/app/qr-list/${promotionId}/restore`,
  promotionCaps: (promotionId: string) => `/app/qr-list/${promotionId}/caps`,
  codeSharing: (promotionId: string) => `/app/qr-list/${promotionId}/share`,
  codeLabels: (promotionId: string) => `/app/qr-list/${promotionId}/labels`,
  exportCsv: "/app/qr-list/export.csv",
  qrArchive: "/app/qr-list/qr-codes.zip",
  bulk: "/app/qr-list/bulk",
  /** Asks before all codes of a mass generation are deactivated. */
  codesDeactivation: (generationId: string) =>
    `/app/qr-list/bulk?intent=deactivate&ids=g${generationId}`,
  qrGeneration: "/app/qr-generation",
  massGeneration: "/app/qr-generation/mass",
  duplicateGeneration: (generationId: string) => `/app/qr-generation/mass?from=${generationId}`,
  generations: "/app/qr-list?view=campaigns&type=mass",
  generationCodes: (generationId: string) => `/app/qr-list?mass_generation_id=${generationId}`,
  generation: (generationId: string) => `/app/qr-generation/${generationId}`,
  /** With scripts, its archive is saved at once. */
  newGeneration: (generationId: string) => `/app/qr-generation/${generationId}?download=1`,
  generationArchive: (generationId: string) => `/app/qr-generation/${generationId}/archive.zip`,
  generationMachines: (generationId: string) => `/app/qr-generation/${generationId}/machines`,
  generationDeletion: (generationId: string) => `/app/qr-generation/${generationId}/delete`,
  generationRestoring: (generationId: string) => `/app/qr-generation/${generationId}/restore`,
  generationCaps: (generationId: string) => `/app/qr-generation/${generationId}/caps`,
  addCodes: (generationId: string) => `/app/qr-generation/${generationId}/add-codes`,
  labels: (generationId: string) => `/app/qr-generation/${generationId}/labels`,
  imports: "/app/imports",
  newImport: "/app/imports/new",
  import: (importId: string) => `/app/imports/${importId}`,
  importUndo: (importId: string) => `/app/imports/${importId}/undo`,
  importVerdicts: (importId: string) => `/app/imports/${importId}/verdicts.csv`,
  importTemplate: (kind: string) => `/app/imports/template.csv?kind=${kind}`,
  machines: "/app/machines",
  machine: (serialNumber: string) => `/app/machines/${serialSegment(serialNumber)}`,
  machineEdit: (serialNumber: string) => `/app/machines/${serialSegment(serialNumber)}/edit`,
  machinePromotions: (serial: string) => `/app/machines/${serialSegment(serial)}/promotions`,
  newMachines: "/app/machines/add",
  machinesRefresh: "/app/machines/refresh",
  machinesConfirmation: "/app/machines/confirm",
  transactionsOf: (serial: string) => `/app/transactions?machine=${encodeURIComponent(serial)}`,
  search: "/app/search",
  check: "/app/check",
  codeCheck: (code: string) => `/app/check?code=${encodeURIComponent(code)}`,
  transactions: "/app/transactions",
  transactionsOfCode: (code: string) => `/app/transactions?promotion=${encodeURIComponent(code)}`,
  transactionsOfGeneration: (id: string) => `/app/transactions?mass_generation_id=${id}`,
  transactionsOfIntegration: (id: string) => `/app/transactions?integration=${id}`,
  refusals: "/app/transactions/refused",
  transactionsCsv: "/app/transactions/export.csv",
  approvals: "/app/approvals",
  approval: (approvalId: string) => `/app/approvals/${approvalId}`,
  integrations: "/app/integrations",
  integration: (integrationId: string) => `/app/integrations/${integrationId}`,
  testMode: (integrationId: string) => `/app/integrations/${integrationId}/test-mode`,
  keyLimit: (id: string, keyId: string) => `/app/integrations/${id}/limit/${keyId}`,
  keyRenewal: (id: string, keyId: string) => `/app/integrations/${id}/renew/${keyId}`,
  keyRevocation: (id: string, keyId: string) => `/app/integrations/${id}/revoke/${keyId}`,
  reports: "/app/reports",
  reportSchedules: "/app/reports/mailing",
  reportSchedule: (scheduleId: string) => `/app/reports/mailing/${scheduleId}`,
  scheduleEdit: (scheduleId: string) => `/app/reports/mailing/${scheduleId}/edit`,
  scheduleRemoval: (scheduleId: string) => `/app/reports/mailing/${scheduleId}/remove`,
  webhooks: "/app/webhooks",
  webhook: (webhookId: string) => `/app/webhooks/${webhookId}`,
  webhookRemoval: (webhookId: string) => `/app/webhooks/${webhookId}/remove`,
  webhookDelivery: (webhookId: string, deliveryId: string) =>
    `/app/webhooks/${webhookId}/deliveries/${deliveryId}`,
  jobs: "/app/jobs",
  outgoingMail: "/app/jobs?kind=mail",
  outgoingEvents: "/app/jobs?kind=webhook",
  testMail: "/app/jobs/test-mail",
  jobRun: (jobId: string) => `/app/jobs/${jobId}/run`,
  outgoingResumption: "/app/outgoing/resume",
  machineGroups: "/app/machine-groups",
  newMachineGroup: "/app/machine-groups/new",
  machineGroup: (groupId: string) => `/app/machine-groups/${groupId}`,
  machineGroupDeletion: (groupId: string) => `/app/machine-groups/${groupId}/delete`,
  settings: "/app/settings",
  settingsHistory: "/app/audit?action=settings+changed&subject_type=site",
  users: "/app/users",
  newUser: "/app/user/new",
  user: (userId: string) => `/app/users/${userId}/edit`,
  userDeletion: (userId: string) => `/app/users/${userId}/delete`,
  audit: "/app/audit",
  auditCsv: "/app/audit/export.csv",
  profile: "/app/profile",
  profileEdit: "/app/profile?edit=1",
  avatarChooser: "/app/profile/avatar",
  apiKey: "/app/profile/api-key",
  avatarImage: (avatarId: string) => `/app/profile/photos/${avatarId}`,
  account: "/app/user/edit",
  accountProfile: "/app/user/edit/profile",
  photoDeletion: (photoId: string) => `/app/user/edit/profile/delete/${photoId}`,
  accountPassword: "/app/user/edit/password",
  secondFactor: "/app/profile/second-factor",
  newPasskey: "/app/profile/second-factor/passkey",
  secondFactorRemoval: "/app/profile/second-factor/turn-off",
  passkeyRemoval: (passkeyId: string) => `/app/profile/second-factor/remove/${passkeyId}`,
  secondFactorQr: "/app/profile/second-factor/qr.svg",
  apiDocs: "/api/docs",
  openApi: "/api/openapi.json",
  keyboard: "/app/keyboard",
  support: "/app/support",
  faq: "/app/faq",
} as const;

/** Addresses that only the server writes, into mails, answers and redirects. Browsers don't load them. */
export const serverPaths = {
  /** A message of `login-page`'s notices above the form. */
  loginWith: (notice: string) => `/login?notice=${notice}`,
  /** @param version changes with its content */
  logo: (version: string) => `/logo?v=${version}`,
  invitation: "/invitation",
  emailVerification: "/verify-email",
  emailUndo: "/undo-email",
  bulkAction: (operationId: string) => `/app/qr-list/bulk/${operationId}`,
  newMachine: (serial: string) => `/app/machines/add?serial=${encodeURIComponent(serial)}`,
  transactionOf: (redemptionId: string) =>
    `/app/transactions?redemption=${encodeURIComponent(redemptionId)}`,
  reportsCsv: "/app/reports/export.csv",
};

/** Addresses of the Machines screen that are no machine's. */
export const machineScreens = ["add", "refresh", "confirm"];

/**
 * A serial number as a segment of a path. It may hold any character, but '.' and '..' mean another
 * folder in every address, however they are encoded, and some words are other screens: a '~' goes
 * before those, and before what begins with one itself.
 */
export function serialSegment(serialNumber: string): string {
  const isTaken =
    /^(~|\.{1,2}$)/.test(serialNumber) || machineScreens.includes(serialNumber.toLowerCase());
  return (isTaken ? "~" : "") + encodeURIComponent(serialNumber);
}

/** The serial number that a segment stands for, as it came in an address. */
export function serialOfSegment(segment: string): string {
  const text = decodeURIComponent(segment);
  return text.startsWith("~") ? text.slice(1) : text;
}
