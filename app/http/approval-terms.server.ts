/** Describes the codes that a request would create, for the admin who decides (RULES Y). */
import type { Approval } from "../features/approvals/approval";
import { readChosen } from "../features/assignments/targets.server";
import { noTargets, type ChosenTargets } from "../features/assignments/targets";
import { describeCaps } from "../features/caps/cap";
import type { NewPromotion } from "../features/promotions/form/promotion-forms";
import { describeDiscount, describeValidity } from "../features/promotions/promotion-view";
import { describeSchedule, describeStart } from "../features/promotions/schedule";
import { siteFormat } from "../features/settings/settings.server";
import { formatCents } from "../format/money";
import { countOf, formatNumber } from "../format/number";
import { formatUsesLeft } from "../format/promotion";
import { paths } from "../paths";

type Term = { label: string; text: string; to?: string };

/** Describes what a request asks for; a change of settings is described by its name. */
export async function termsOf({ kind, input, state }: Approval): Promise<Term[]> {
  if (kind === "limit") return [];
  if (kind === "import")
    return [{ label: "File", text: "Checked file", to: paths.import(String(input.id)) }];
  if (kind === "replacement")
    return [{ label: "Replaces", text: "Code", to: paths.promotion(String(input.replaced)) }];
  if (kind === "added")
    return [
      { label: "Adds to", text: "Existing campaign", to: paths.generation(String(input.id)) },
    ];
  const promotion = input as NewPromotion & Partial<ChosenTargets>;
  return [
    ...termsOfPromotion(promotion),
    ...(await termsOfTargets({ ...noTargets, ...promotion }, state === "pending")),
  ];
}

function termsOfPromotion(input: NewPromotion): Term[] {
  const { expirationDate, startsAt, schedule, caps, codePattern } = input;
  const { currency, timeZone } = siteFormat();
  const capTexts = describeCaps(caps ?? null, (cents) => formatCents(cents, currency));
  return [
    { label: "Discount", text: describeDiscount(input) },
    { label: "Uses of each", text: usesOf(input) },
    { label: "Start", text: describeStart({ startsAt }, timeZone) },
    { label: "Hours", text: describeSchedule(schedule, timeZone) },
    { label: "Expiration", text: describeValidity(expirationDate, timeZone) },
    { label: "Caps", text: capTexts.join(", ") || "None" },
    ...(codePattern
      ? [{ label: "Codes", text: `${codePattern.prefix}…, ${codePattern.length} characters` }]
      : []),
  ];
}

/** Describes how often each code can be used (RULES U1, U4): 'Once', '5 a month', 'Unlimited'. */
function usesOf({ discountType, discountValue, isSingleUse, isRenewable }: NewPromotion): string {
  if (!isSingleUse && discountType === "percentage") return formatUsesLeft(null);
  const uses = isSingleUse ? "Once" : formatUsesLeft(discountValue);
  return isRenewable ? `${uses} a month` : uses;
}

const maxMachineNames = 8;

/** Names where the codes would be redeemable, as it is now: '288 machines: group Route Nord'. */
async function termsOfTargets(chosen: ChosenTargets, isPending: boolean): Promise<Term[]> {
  const { machines, directCount, groups, machineCount } = await readChosen(chosen, maxMachineNames);
  const more = directCount - machines.length;
  const names = [
    ...groups.map((name) => `group ${name}`),
    ...machines,
    more > 0 && `${formatNumber(more)} more`,
  ].filter(Boolean);
  const text = [countOf(machineCount, "machine"), names.join(", ")].filter(Boolean).join(": ");
  const isGroupMissing = groups.length < chosen.groups.length;
  return [
    { label: "Redeemable at", text },
    ...(isGroupMissing && isPending
      ? [{ label: "Problem", text: "A chosen group was deleted. The request can't be approved." }]
      : []),
  ];
}
