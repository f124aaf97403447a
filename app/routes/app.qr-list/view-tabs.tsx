// Without script: the same links.
import { promotionList } from "../../features/promotions/list/promotion-filters";
import { paths } from "../../paths";
import { LinkTabs } from "../../ui/layout/page";
import { withoutFilters } from "../../ui/table/filter-bar";
import { useListUrl } from "../../ui/table/list-url";
import type { PromotionListData } from "./promotion-table";

/** Views of the list as tabs: all codes, those saved by the user, and the deleted ones. */
export function ViewTabs({ list }: { list: PromotionListData }) {
  const url = useListUrl(promotionList);
  const isOfView = list.views.some(({ isShown }) => isShown);
  const isDeleted = list.filters.length === 1 && list.filters[0]![0] === "deleted";
  return (
    <LinkTabs
      label="Views"
      tabs={[
        {
          to: url(withoutFilters(promotionList)),
          label: "All codes",
          isCurrent: list.filters.length === 0 && !isOfView,
        },
        ...list.views.map(({ name, parameters, isShown }) => ({
          to: `${paths.qrList}?${parameters || "page=1"}`,
          label: name,
          isCurrent: isShown,
        })),
        ...(list.isAdmin
          ? [
              {
                to: url({ ...withoutFilters(promotionList), deleted: "true" }),
                label: "Deleted",
                isCurrent: isDeleted && !isOfView,
              },
            ]
          : []),
        {
          id: "saved-views",
          to: `${paths.savedViews}${url.search}`,
          label: "Save this view",
          isCurrent: false,
        },
      ]}
    />
  );
}
