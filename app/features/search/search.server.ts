/** Finds what a text means, whatever it is: a code, campaign, machine, redemption or, for admins, person (RULES L10). */
import { siteTimeZone } from "../../db/site.server";
import { environment } from "../../env.server";
import { isLongerThan, isStorableText } from "../../forms/storable-text";
import { findCode } from "../../forms/typed-code";
import { pageSearch } from "../../lists/list-params";
import { paths } from "../../paths";
import { findMachines, maxMachineMatches } from "../machines/machines.server";
import { findUsers } from "../people/user-admin.server";
import { readCampaigns } from "../promotions/list/campaigns.server";
import { listPromotions } from "../promotions/list/list-promotions.server";
import { filtersToParams, noFilters, promotionList } from "../promotions/list/promotion-filters";
import { findPromotionId } from "../promotions/promotions.server";
import { toPromotionView } from "../promotions/promotion-view";
import { hasRedemption } from "../transactions/list-transactions.server";

/** Campaigns shown; a link leads to the list with all that match. */
const maxCampaigns = 5;

/** More matches than these are no answer: the text says too little. */
const maxPeople = 10;

/** Longer than any code, name, serial number or redemption id. */
const maxTextLength = 200;

export type SearchResults = Awaited<ReturnType<typeof search>>;

/** Returns the text without spaces around it, shortened; '' if it can't be stored, so that nothing has it. */
export function searchText(params: URLSearchParams): string {
  const text = (params.get("q") ?? "").trim();
  return isStorableText(text) && !isLongerThan(text, maxTextLength) ? text : "";
}

/**
 * Returns the page of the one thing that has the text as its code, serial number, redemption id or mail address; null
 * if nothing has, or several things have.
 */
export async function findExactly(text: string, isAdmin: boolean): Promise<string | null> {
  const code = findCode(text, environment().qrPayload);
  const [promotionId, machines, isRedemption, users] = await Promise.all([
    code === null ? null : findPromotionId(code),
    findMachines(text),
    hasRedemption(text),
    isAdmin ? findUsers(text, 2) : [],
  ]);
  const isSame = (other: string) => other.toLowerCase() === text.toLowerCase();
  const found = [
    ...(promotionId === null ? [] : [paths.promotion(promotionId)]),
    ...machines
      .filter(({ serialNumber }) => isSame(serialNumber))
      .map(({ serialNumber }) => paths.machine(serialNumber)),
    ...(isRedemption ? [paths.transactionOf(text)] : []),
    ...users.filter(({ email }) => isSame(email)).map(({ id }) => paths.user(id)),
  ];
  return found.length === 1 ? found[0]! : null;
}

/** Reads the first rows of each kind that have the text in their name, code, serial number or mail address. */
export async function search(text: string, isAdmin: boolean) {
  const filters = { ...noFilters, view: "campaigns" as const, text };
  const [list, machines, isRedemption, users] = await Promise.all([
    listPromotions({
      ...{ page: 1, perPage: maxCampaigns, after: null, before: null },
      ...{ sort: promotionList.defaultSort, filters },
    }),
    findMachines(text),
    hasRedemption(text),
    isAdmin ? findUsers(text, maxPeople + 1) : [],
  ]);
  const campaigns = await readCampaigns(list.promotions);
  return {
    campaigns: {
      rows: campaigns.map((campaign) => toPromotionView(campaign, siteTimeZone())),
      total: list.total,
      to: paths.qrList + pageSearch(filtersToParams(filters)),
    },
    machines: {
      rows: machines.slice(0, maxMachineMatches),
      hasMore: machines.length > maxMachineMatches,
    },
    redemption: isRedemption ? paths.transactionOf(text) : null,
    people: { rows: users.slice(0, maxPeople), hasMore: users.length > maxPeople },
  };
}
