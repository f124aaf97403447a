import { siteToday } from "../../../app/db/site.server";
import type { Validator } from "remix-validated-form";
import { addCodesValidator } from "../../../app/features/mass-generations/add-codes-forms";
import { capsValidator } from "../../../app/features/caps/cap-forms";
import { shareValidator } from "../../../app/features/customer-page/share-forms";
import { keyValidator, limitValidator } from "../../../app/features/integrations/integration";
import {
  chooseValidator,
  editGroupValidator,
  pasteValidator,
} from "../../../app/features/machines/machine-groups-forms";
import {
  testCallValidator,
  testCodeValidator,
} from "../../../app/features/test-mode/test-mode-forms";
import { scheduleValidator } from "../../../app/features/report-schedules/report-schedule";
import { generationEditFacts } from "../../../app/features/mass-generations/edit-mass-generation.server";
import { getMassGeneration } from "../../../app/features/mass-generations/mass-generation.server";
import { massFormValidator } from "../../../app/features/mass-generations/mass-generation-forms";
import { promotionEditFacts } from "../../../app/features/promotions/form/edit-promotion.server";
import {
  editFormValidator,
  singleFormValidator,
} from "../../../app/features/promotions/form/promotion-forms";
import { bulkValidator } from "../../../app/features/promotions/lifecycle/bulk-form";
import { getPromotion } from "../../../app/features/promotions/promotions.server";
import { editUserValidator, newUserValidator } from "../../../app/features/people/managed-user";
import { passwordChangeValidator } from "../../../app/features/sign-in/password-rules";
import {
  accountValidator,
  apiKeyValidator,
  avatarValidator,
  contactValidator,
  endSessionsValidator,
  passwordOnlyValidator,
  profileValidator,
  revealValidator,
} from "../../../app/features/people/profile-forms";
import {
  codeValidator,
  passkeyNameValidator,
} from "../../../app/features/second-factor/second-factor-forms";
import { periodValidator, webhookValidator } from "../../../app/features/webhooks/webhook";
import { demoRules } from "../../demo/action-cases";
import { creatingForms } from "../creating-forms";
import type { ScreenForm } from "./pages";

type Rule = Validator<unknown> | ((form: ScreenForm) => Promise<Validator<unknown>>);

const idIn = ({ action }: ScreenForm) => /\/(\d+)/.exec(action)![1]!;

/** The rules that browsers check, by the route of a form and the value of its last button. */
const rules: Record<string, Rule> = {
  ...demoRules,
  ...Object.fromEntries(
    Object.values(creatingForms).map(({ route, validator }) => [
      `${route.replace("routes/", "")} `,
      validator,
    ]),
  ),
  "app.approvals_.$approvalId approve": passwordOnlyValidator,
  "app.machine-groups_.$groupId save": editGroupValidator,
  "app.machine-groups_.$groupId paste": pasteValidator,
  "app.machine-groups_.$groupId choose": chooseValidator,
  "app.integrations_.$integrationId ": keyValidator,
  "app.integrations_.$integrationId.limit.$keyId ": limitValidator,
  "app.integrations_.$integrationId_.test-mode create": testCodeValidator,
  "app.integrations_.$integrationId_.test-mode send": testCallValidator,
  "app.integrations_.$integrationId.renew.$keyId ": passwordOnlyValidator,
  "app.user.edit ": accountValidator,
  "app.user.edit_.password ": passwordChangeValidator("someone@example.com"),
  "app.user.edit_.profile ": contactValidator,
  "app.user.new ": newUserValidator,
  "app.users_.$userId.edit save": editUserValidator,
  "app.users_.$userId.edit removeSecondFactor": passwordOnlyValidator,
  "app.profile ": profileValidator,
  "app.profile reveal": revealValidator,
  "app.profile end-other-sessions": endSessionsValidator,
  "app.profile.api-key ": apiKeyValidator,
  "app.profile.avatar ": avatarValidator,
  "app.profile_.second-factor confirm": codeValidator,
  "app.profile_.second-factor renew": passwordOnlyValidator,
  "app.profile_.second-factor_.passkey start": passkeyNameValidator,
  "app.reports_.mailing ": scheduleValidator,
  "app.reports_.mailing.$scheduleId.edit ": scheduleValidator,
  "app.qr-generation create": async () => singleFormValidator(await siteToday()),
  "app.qr-generation_.mass create": async () =>
    massFormValidator({ today: await siteToday(), maxCodes: 100_000 }),
  "app.qr-generation_.$generationId ": async (form) =>
    editFormValidator(generationEditFacts(await getMassGeneration(idIn(form)), await siteToday())),
  "app.qr-list_.$promotionId ": async (form) =>
    editFormValidator(promotionEditFacts(await getPromotion(idIn(form)), await siteToday())),
  "app.qr-list_.bulk_.$operationId apply": async ({ fields }) => {
    const has = (field: string) => fields.some(({ name }) => name === field);
    const fieldsOf = {
      changes_start: "reschedule",
      expiration_date: "extend",
      machines: "assign",
    } as const;
    const [, action = "delete"] = Object.entries(fieldsOf).find(([field]) => has(field)) ?? [];
    return bulkValidator(action, await siteToday());
  },
  "app.qr-list_.$promotionId_.caps ": capsValidator,
  "app.qr-list_.$promotionId_.share ": shareValidator,
  "app.qr-generation_.$generationId_.caps ": capsValidator,
  "app.qr-generation_.$generationId_.add-codes ": addCodesValidator(99_999),
  "app.sample-data ": passwordOnlyValidator,
  "app.webhooks ": webhookValidator,
  "app.webhooks_.$webhookId save": webhookValidator,
  "app.webhooks_.$webhookId redeliver-period": periodValidator,
  "app.webhooks_.$webhookId rotate": passwordOnlyValidator,
};

/** The button that sends a form, or the intent that it holds. */
export function intentOf({ fields, intents }: ScreenForm): string {
  return fields.find(({ name }) => name === "intent")?.value ?? intents.at(-1) ?? "";
}

/** Returns the rule that a browser checks before it sends a form; null for a plain form. */
export async function validatorOf(form: ScreenForm): Promise<Validator<unknown> | null> {
  const hasField = (field: string) => form.fields.some(({ name }) => name === field);
  // The server alone checks the answer of a passkey.
  const isChecked = hasField("__rvfInternalFormId") && !hasField("credential");
  const intent = intentOf(form);
  if (!isChecked || form.isMultipart || intent === "switch") return null;
  const key = `${form.route.replace(/^.*routes\//, "")} ${intent}`;
  const rule = rules[key];
  if (!rule)
    throw new Error(`tests/support/action-cases/validators.ts states no rule for '${key}'`);
  return typeof rule === "function" ? rule(form) : rule;
}

/** Forms with rules of the server alone: a name that is taken, a password that is wrong. */
export const hasMoreRules = (form: ScreenForm) =>
  /password|second-factor|users?\b|api-key|machine|qr-|webhooks|integrations_/.test(form.route);
