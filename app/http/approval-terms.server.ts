/** Describes the codes that a request would create, for the admin who decides (RULES Y). */
import type { Approval } from "../features/approvals/approval";
import { noTargets, type ChosenTargets } from "../features/assignments/targets";
import { describeCaps } from "../features/caps/cap";
import type { NewPromotion } from "../features/promotions/form/promotion-forms";
import { describeDiscount, describeValidity } from "../features/promotions/promotion-view";
import { describeSchedule, describeStart } from "../features/promotions/schedule";
import { siteFormat } from "../features/settings/settings.server";
import { formatCents } from "../format/money";
import { countOf } from "../format/number";
import { formatUsesLeft } from "../format/promotion";
import { paths } from "../paths";

type Term = { label: string; text: string; to?: string };

/** Describes what a request asks for; a change of settings is described by its name. */
export function termsOf({ kind, input }: Approval): Term[] {
  if (kind === "limit") return [];
  if (kind === "import")
    return [{ label: "File", text: "Checked file", to: paths.import(String(input.id)) }];
  if (kind === "replacement")
    return [{ label: "Replaces", text: "Code", to: paths.promotion(String(input.replaced)) }];
  if (kind === "added")
    return [
      { label: "Adds to", text: "Existing campaign", to: paths.generation(String(input.id)) },
    ];
  return termsOfPromotion(input as NewPromotion & Partial<ChosenTargets>);
}

function termsOfPromotion(input: NewPromotion & Partial<ChosenTargets>): Term[] {
  const { isSingleUse, isRenewable, expirationDate, startsAt, schedule, caps, codePattern } = input;
  const { machines, groups } = { ...noTargets, ...input };
  const uses = isSingleUse ? "Once" : isRenewable ? "Renewed each month" : formatUsesLeft(null);
  const { currency, timeZone } = siteFormat();
  const capTexts = describeCaps(caps ?? null, (cents) => formatCents(cents, currency));
  return [
    { label: "Discount", text: describeDiscount(input) },
    { label: "Uses of each", text: uses },
    { label: "Start", text: describeStart({ startsAt }, timeZone) },
    { label: "Hours", text: describeSchedule(schedule, timeZone) },
    { label: "Expiration", text: describeValidity(expirationDate, timeZone) },
    { label: "Caps", text: capTexts.join(", ") || "None" },
    ...(codePattern
      ? [{ label: "Codes", text: `${codePattern.prefix}…, ${codePattern.length} characters` }]
      : []),
    {
      label: "Accepted at",
      text: `${countOf(machines.length, "machine")}, ${countOf(groups.length, "group")}`,
    },
  ];
}
