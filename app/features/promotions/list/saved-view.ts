import { filterNames } from "../../../lists/list";
import { promotionList } from "./promotion-filters";

/** A list under a name: its filters, order and columns, as its URL has them. */
export type SavedView = {
  id: string;
  name: string;
  parameters: string;
  /** Whether the QR List opens with it. */
  isDefault: boolean;
  isShared: boolean;
  version: number;
  /** Who shares it; null for a view of the reader. */
  sharedBy: string | null;
  /** Whether its owner is still a user. */
  isOwned: boolean;
  /** Whether the reader may rename, share and delete it. */
  isEditable: boolean;
};

const savedParameters: readonly string[] = [
  ...filterNames(promotionList.filters),
  ...["sort", "per_page", "hide"],
];

/** Picks the parameters that a view holds: never a page. */
export function viewParameters(params: URLSearchParams): string {
  return new URLSearchParams(
    [...params].filter(([name, value]) => savedParameters.includes(name) && value !== ""),
  ).toString();
}

const maxTabs = 12;

/** Picks the views with a tab on the list of these parameters; the dialog of views lists all. */
export function savedViewTabs(views: SavedView[], params: URLSearchParams) {
  const parameters = viewParameters(params);
  // Several views can be the same list: the reader's own come first.
  const shownView = views.find((view) => view.parameters === parameters);
  const tabbed = views.filter((view, position) => position < maxTabs || view === shownView);
  return {
    views: tabbed.map((view) => ({
      label: view.sharedBy ? `${view.name} (${view.sharedBy})` : view.name,
      parameters: view.parameters,
      isShown: view === shownView,
    })),
    savedViewsLabel: shownView || tabbed.length < views.length ? "Saved views" : "Save this view",
    editableView: shownView?.isEditable ? shownView.id : null,
  };
}
