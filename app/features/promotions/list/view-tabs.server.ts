/** Views of the QR List as tabs: all codes, campaigns, those that were saved, and the deleted ones. */
import { filterNames, type Sort } from "../../../lists/list";
import { dialogSearch, formatColumns, formatSort, pageSearch } from "../../../lists/list-params";
import { countOf, formatNumber } from "../../../format/number";
import { formatCodes } from "../../../format/promotion";
import { paths } from "../../../paths";
import { campaignList, promotionList } from "./promotion-filters";
import type { SavedView } from "./saved-view";

const names = filterNames(promotionList.filters);
const savedParameters = [...names, "sort", "per_page", "hide", "show"];

function pick(params: URLSearchParams, wanted: readonly string[]): URLSearchParams {
  return new URLSearchParams(
    [...params].filter(([name, value]) => wanted.includes(name) && value !== ""),
  );
}

/** Picks the parameters that a view holds, never a page, in one order: links and forms name them in different ones. */
export function viewParameters(params: URLSearchParams): string {
  const place = ([name]: [string, string]) => savedParameters.indexOf(name);
  const picked = [...pick(params, savedParameters)];
  return new URLSearchParams(picked.sort((one, other) => place(one) - place(other))).toString();
}

/** Saved views with a tab, beside the one that is shown; the dialog of views lists all. */
const maxTabs = 12;

type ShownList = {
  params: URLSearchParams;
  views: SavedView[];
  isCampaigns: boolean;
  isDeleted: boolean;
  isAdmin: boolean;
  canSave: boolean;
  isFiltered: boolean;
  isFirstPage: boolean;
  /** The order and the columns that it has, also where the URL says nothing of them. */
  sort: Sort;
  hidden: readonly string[];
};

export function viewTabs({ params, views, sort, hidden, ...list }: ShownList) {
  const isPlain = !list.isFiltered && list.isFirstPage;
  const { optionalColumns = [] } = promotionList;
  const settings = {
    sort: formatSort(sort),
    hide: formatColumns(hidden.filter((name) => !optionalColumns.includes(name))),
    show: formatColumns(optionalColumns.filter((name) => !hidden.includes(name))),
  };
  const withSettings = (own: URLSearchParams) => {
    const missing = Object.entries(settings).filter(([name]) => !own.has(name));
    return new URLSearchParams([...own, ...missing]);
  };
  // 'All codes' and 'Campaigns' have the remembered order and columns, whatever a view of them has.
  const identify = (own: URLSearchParams) =>
    viewParameters(list.isFiltered ? withSettings(own) : own);
  const parameters = identify(params);
  // Several views can be the same list: the reader's own come first.
  const shown = views.find((view) => identify(new URLSearchParams(view.parameters)) === parameters);
  const tabbed = views.filter((view, position) => position < maxTabs || view === shown);
  const isBuiltIn = !shown && !list.isDeleted;
  const isAllCodes = isBuiltIn && !list.isCampaigns;
  const search = dialogSearch(params);
  // Not all orders are those of campaigns; the remembered one and the remembered columns stay where they can.
  const ofView = (view: Record<string, string>) =>
    listUrl(new URLSearchParams([...Object.entries(view), ...pick(params, ["per_page"])]));
  return [
    {
      // Would lead to nothing but the same page.
      to: isAllCodes && isPlain ? undefined : ofView({}),
      label: "All codes",
      isCurrent: isAllCodes,
    },
    {
      to: ofView({ view: "campaigns" }),
      label: "Campaigns",
      isCurrent: isBuiltIn && list.isCampaigns,
    },
    ...tabbed.map((view) => ({
      to: `${paths.qrList}?${view.parameters || "page=1"}`,
      label: view.sharedBy ? `${view.name} (${view.sharedBy})` : view.name,
      isCurrent: view === shown,
    })),
    (list.isAdmin || list.isDeleted) && {
      to: ofView({ deleted: "true" }),
      label: "Deleted",
      isCurrent: list.isDeleted && !shown,
    },
    shown?.isEditable && {
      to: paths.savedView(shown.id) + search.replace("?", "&"),
      label: "Edit view",
      isCurrent: false,
    },
    // There is nothing to save or manage in what everybody sees at first, unless a view is saved.
    list.canSave &&
      !(isAllCodes && isPlain && pageSearch(params) === "" && views.length === 0) && {
        id: "saved-views",
        to: paths.savedViews + dialogSearch(withSettings(params)),
        label: shown || tabbed.length < views.length ? "Saved views" : "Save this view",
        isCurrent: false,
      },
  ].filter((tab) => typeof tab === "object");
}

function listUrl(params: URLSearchParams): string {
  return paths.qrList + (params.size > 0 ? `?${params}` : promotionList.emptySearch);
}

/**
 * Leads from a page on which a mass generation has several codes to the campaigns that the same filters let
 * through; null on any other page.
 */
export function campaignsHint(
  codes: readonly { massGenerationId: string | null }[],
  params: URLSearchParams,
) {
  const ids = codes.flatMap(({ massGenerationId }) => massGenerationId ?? []);
  const generations = new Set(ids).size;
  if (ids.length === generations || params.has("mass_generation_id")) return null;
  const campaignParams = pick(params, savedParameters);
  if (!((campaignParams.get("sort") ?? "").replace("-", "") in campaignList.sorts))
    campaignParams.delete("sort");
  campaignParams.set("view", "campaigns");
  const these =
    ids.length === codes.length
      ? `All ${formatCodes(codes.length)}`
      : `${formatNumber(ids.length)} of these ${formatCodes(codes.length)}`;
  return {
    text: `${these} belong to ${countOf(generations, "mass generation")}.`,
    to: listUrl(campaignParams),
  };
}
