import { siteTimeZone } from "../../db/site.server";
import { environment } from "../../env.server";
import type { Integration } from "../../features/integrations/integration";
import { findRedeemable } from "../../features/promotions/promotions.server";
import { findFirstRedemption } from "../../features/transactions/first-redemption.server";
import { formatDateTime } from "../../format/date";
import { countOf } from "../../format/number";
import { paths } from "../../paths";
import { redeemCurl } from "../_api-docs/redeem-curl";

/** Reads how far the site is from no key to the first redemption. */
export async function readSteps(integrations: readonly Integration[]) {
  const [example, first] = await Promise.all([findRedeemable(), findFirstRedemption()]);
  const active = integrations.reduce((sum, { activeKeys }) => sum + activeKeys, 0);
  return {
    keys: active > 0 ? `${countOf(active, "active key")}.` : null,
    keyPage: integrations[0] ? `${paths.integration(integrations[0].id)}#new-key` : null,
    curl: example && redeemCurl(environment().appOrigin, example),
    first: first && {
      text: `${formatDateTime(first.occurredAt, siteTimeZone())} at ${first.serialNumber}.`,
      to: paths.transactionsOfIntegration(first.integrationId),
    },
  };
}
