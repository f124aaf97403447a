// Without script: the same links.
import { paths } from "../../../paths";
import { LinkTabs } from "../../../ui/layout/page";
import { withoutFilters } from "../../../ui/list/filter-bar";
import { useListUrl } from "../../../ui/table/list-url";
import { promotionList } from "./promotion-filters";

type ViewTabsProps = {
  list: {
    /** Views that the user saved, and those that others share. */
    views: readonly { label: string; parameters: string; isShown: boolean }[];
    /** Link to the dialog of all views. */
    savedViewsLabel: string;
    /** Id of the view that is shown, if the user may change it. */
    editableView: string | null;
    isCampaigns: boolean;
    isDeleted: boolean;
    isAdmin: boolean;
    filters: readonly unknown[];
    page: number;
  };
};

/** Views of the list as tabs: all codes, campaigns, those saved by the user, and the deleted ones. */
export function ViewTabs({ list }: ViewTabsProps) {
  const url = useListUrl(promotionList);
  const isOfView = list.views.some(({ isShown }) => isShown);
  const isBuiltIn = !isOfView && !list.isDeleted;
  // Not all orders are those of campaigns; the remembered one stays where it can.
  const isPlain = list.filters.length === 0 && list.page === 1;
  const isAllCodes = isBuiltIn && !list.isCampaigns;
  const all = { ...withoutFilters(promotionList), sort: "", deleted: "" };
  return (
    <LinkTabs
      label="Views"
      tabs={[
        {
          to: isAllCodes && isPlain ? undefined : url({ ...all, view: "" }),
          label: "All codes",
          isCurrent: isAllCodes,
        },
        {
          to: url({ ...all, view: "campaigns" }),
          label: "Campaigns",
          isCurrent: isBuiltIn && list.isCampaigns,
        },
        ...list.views.map(({ label, parameters, isShown }) => ({
          to: `${paths.qrList}?${parameters || "page=1"}`,
          label,
          isCurrent: isShown,
        })),
        ...(list.isAdmin || list.isDeleted
          ? [
              {
                to: url({ ...all, deleted: "true" }),
                label: "Deleted",
                isCurrent: list.isDeleted && !isOfView,
              },
            ]
          : []),
        ...(list.editableView === null
          ? []
          : [
              {
                to: `${paths.savedView(list.editableView)}${url.search.replace("?", "&")}`,
                label: "Edit view",
                isCurrent: false,
              },
            ]),
        // There is nothing to save or manage in what everybody sees at first, unless a view is saved.
        ...(isAllCodes && isPlain && url.search === "" && list.views.length === 0
          ? []
          : [
              {
                id: "saved-views",
                to: `${paths.savedViews}${url.search}`,
                label: list.savedViewsLabel,
                isCurrent: false,
              },
            ]),
      ]}
    />
  );
}
