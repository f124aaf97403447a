/** Finds what a text means, whatever it is: a code, campaign, machine, redemption or, for admins, person (RULES L10). */
import { siteTimeZone } from "../../db/site.server";
import { environment } from "../../env.server";
import { isLongerThan, isStorableText, truncate } from "../../forms/storable-text";
import { findCode } from "../../forms/code-input";
import { pageSearch } from "../../lists/list-params";
import { paths, serverPaths } from "../../paths";
import { findMachines, maxMachineMatches } from "../machines/machines.server";
import { findUsers } from "../people/user-admin.server";
import { toCampaigns } from "../promotions/list/campaigns.server";
import { listPromotions } from "../promotions/list/list-promotions.server";
import {
  codesFoundBy,
  filtersToParams,
  noFilters,
  promotionList,
} from "../promotions/list/promotion-filters";
import { findPromotionId } from "../promotions/promotions.server";
import { toPromotionView } from "../promotions/promotion-view";
import type { Reader } from "../sign-in/user";
import { hasRedemption } from "../transactions/transaction-filters.server";

/** Campaigns shown; a link leads to the list with all that match. */
const maxCampaigns = 5;
/** Counting on would cost more than finding them. */
const maxCounted = 100;

/** Number of people shown; of more matches the text says too little. */
const maxPeople = 10;

/** Characters of a search: more than any code, name, serial number or redemption id has. */
const maxTextLength = 200;

export type SearchResults = NonNullable<Awaited<ReturnType<typeof search>>["results"]>;

/**
 * Returns the text without spaces and invisible characters around it, shortened, if need be to the code in it; '' if it
 * can't be stored, so that nothing has it.
 */
export function searchText(params: URLSearchParams): string {
  const text = (params.get("q") ?? "").replace(/^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu, "");
  if (!isStorableText(text)) return "";
  const code = isLongerThan(text, maxTextLength) ? findCode(text, environment().qrPayload) : null;
  return code ?? truncate(text, maxTextLength);
}

/**
 * Finds the page of the one thing that has the text as its code, serial number, redemption id or mail address; else the
 * first rows of each kind that have it in their name, code, serial number or mail address.
 */
export async function search(text: string, reader: Reader) {
  const code = findCode(text, environment().qrPayload);
  const [promotionId, machines, isRedemption, users] = await Promise.all([
    code === null ? null : findPromotionId(code),
    findMachines(text),
    hasRedemption(text),
    reader.role === "admin" ? findUsers(text, maxPeople + 1) : [],
  ]);
  const redemption = isRedemption ? serverPaths.transactionOf(text) : null;
  const isSame = (other: string) => other.toLowerCase() === text.toLowerCase();
  const exact = [
    promotionId && paths.promotion(promotionId),
    ...machines.map(({ serialNumber: s }) => isSame(s) && paths.machine(s)),
    redemption,
    ...users.map(({ id, email }) => isSame(email) && paths.user(id)),
  ].filter((page) => typeof page === "string");
  if (exact.length === 1) return { page: exact[0]!, results: null };
  const results = {
    campaigns: await findCampaigns(text, reader),
    machines: {
      rows: machines.slice(0, maxMachineMatches),
      hasMore: machines.length > maxMachineMatches,
    },
    redemption,
    people: { rows: users.slice(0, maxPeople), hasMore: users.length > maxPeople },
  };
  return { page: null, results };
}

async function findCampaigns(text: string, reader: Reader) {
  const codesBy = codesFoundBy(reader);
  const filters = { ...noFilters, view: "campaigns" as const, text, codesBy };
  const { promotions, total } = await listPromotions(
    {
      page: 1,
      perPage: maxCampaigns,
      after: null,
      before: null,
      sort: promotionList.defaultSort,
      filters,
    },
    { countCap: maxCounted },
  );
  const campaigns = await toCampaigns(promotions);
  return {
    rows: campaigns.map((campaign) => toPromotionView(campaign, siteTimeZone(), reader)),
    total,
    to: paths.qrList + pageSearch(filtersToParams(filters)),
  };
}
