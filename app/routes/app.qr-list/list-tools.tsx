// Without script: a <details> with a form, a link to the views, a form that reads the list again.
import { Form } from "@remix-run/react";
import { promotionList } from "../../features/promotions/list/promotion-filters";
import { listColumns } from "../../features/promotions/promotion-view";
import { paths } from "../../paths";
import { Button, ButtonLink } from "../../ui/form/button";
import { button } from "../../ui/form/button.css";
import * as form from "../../ui/form/form.css";
import { DetailsMenu } from "../../ui/overlay/details-menu";
import { columns } from "../../ui/table/filter-bar.css";
import { useListUrl } from "../../ui/table/list-url";
import type { PromotionListData } from "./promotion-table";

export function ListTools({ list }: { list: PromotionListData }) {
  const { search } = useListUrl(promotionList);
  const action = `${paths.qrList}${search}`;
  return (
    <>
      <DetailsMenu summaryId="columns" summaryClass={button.quiet} summary="Columns">
        <Form method="post" action={action} preventScrollReset className={columns}>
          <fieldset>
            <legend className={form.legend}>Columns beside name and actions</legend>
            {Object.entries(listColumns).map(([name, words]) => (
              <label key={name} className={form.choice}>
                <input
                  type="checkbox"
                  name="columns"
                  value={name}
                  defaultChecked={!list.hidden.includes(name)}
                  className={form.checkbox}
                />
                {words}
              </label>
            ))}
          </fieldset>
          <Button name="intent" value="columns">
            Apply columns
          </Button>
        </Form>
      </DetailsMenu>
      <ButtonLink
        id="saved-views"
        to={`${paths.savedViews}${search}`}
        preventScrollReset
        variant="quiet"
      >
        Views
      </ButtonLink>
      <Form method="post" action={action} preventScrollReset>
        <Button id="refresh-list" name="intent" value="refresh" variant="quiet" icon="refresh">
          Refresh
        </Button>
      </Form>
    </>
  );
}
