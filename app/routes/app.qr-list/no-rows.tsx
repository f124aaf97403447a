// Without script: the same.
import { paths } from "../../paths";
import { ButtonLink } from "../../ui/form/button";
import { EmptyState } from "../../ui/table/empty-state";
import type { PromotionListData } from "./list-cache";
import { useListUrl } from "./list-url";

/** Nothing there at all, or nothing that matches. */
export function NoRows({ list }: { list: PromotionListData }) {
  const listUrl = useListUrl();
  if (list.filters.length === 0) {
    return (
      <EmptyState
        icon="qr-list"
        title="No QR codes found"
        reason="Promotions appear here as soon as they are made."
        action={
          <ButtonLink to={paths.qrGeneration} variant="primary">
            Create your first QR code
          </ButtonLink>
        }
      />
    );
  }
  const none = Object.fromEntries(list.filters.map(([name]) => [name, ""]));
  return (
    <EmptyState
      icon="search"
      title="Nothing matches"
      reason="No promotion has all that the filters above ask for."
      action={<ButtonLink to={listUrl(none)}>Clear the filters</ButtonLink>}
    />
  );
}
