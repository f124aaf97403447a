// Without script: a GET form, and links for what is chosen or taken away with one press.
import { describeFilter } from "../../features/promotions/list/filter-view";
import { promotionStatuses } from "../../features/promotions/promotion";
import { filterParameters } from "../../features/promotions/list/promotion-filters";
import { statusLabels } from "../../features/promotions/promotion-view";
import {
  ActiveFilters,
  ChoiceFilter,
  CreatedChoices,
  DayFilter,
  FilterBar,
  FilterChip,
  FilterFields,
  FilterForm,
  MoreFilters,
  TextFilter,
} from "../../ui/table/filter-bar";
import type { PromotionListData } from "./list-cache";
import { useListUrl } from "./list-url";

type ListProps = { list: PromotionListData };

export function PromotionFilterBar({ list }: ListProps) {
  const hasErrors = Object.keys(list.filterProblems).length > 0;
  return (
    <FilterBar isOpen={hasErrors} fields={<Fields list={list} />}>
      <Choices list={list} />
    </FilterBar>
  );
}

function Fields({ list }: ListProps) {
  const { kept } = useListUrl();
  const typed = (name: string) => ({
    name,
    value: list.typed[name],
    error: list.filterProblems[name],
  });
  return (
    <FilterForm
      typed={list.typed}
      kept={["sort", "per_page", "hide", "created", "deleted"].map((name) => [name, kept[name]])}
    >
      <FilterFields>
        <DayFilter {...typed("created_after")} label="Created After" />
        <DayFilter {...typed("created_before")} label="Created Before" />
        <TextFilter {...typed("serial_number")} label="Serial Number" />
        <TextFilter {...typed("controller")} label="Name of Controller" />
        <TextFilter {...typed("text")} label="Name or code" />
      </FilterFields>
      <MoreFilters isOpen={list.isMoreOpen}>
        <ChoiceFilter {...typed("type")} label="Type" options={types} />
        <ChoiceFilter {...typed("status")} label="Status" options={statuses} />
        <ChoiceFilter {...typed("is_used")} label="Used" options={yesOrNo} />
        <ChoiceFilter {...typed("is_reusable")} label="Reusable" options={yesOrNo} />
        <ChoiceFilter {...typed("is_expired")} label="Expired" options={yesOrNo} />
        <ChoiceFilter {...typed("is_indefinite")} label="Without end" options={yesOrNo} />
        <TextFilter
          {...typed("mass_generation_id")}
          label="Number of the mass generation"
          inputMode="numeric"
        />
        <ChoiceFilter
          {...typed("include_deleted")}
          label="Deleted"
          any="Left out"
          options={included}
        />
      </MoreFilters>
    </FilterForm>
  );
}

const types = { single: "Single", mass: "Mass Gen" };
const yesOrNo = { true: "Yes", false: "No" };
const included = { true: "Included" };
const statuses = Object.fromEntries(promotionStatuses.map((word) => [word, statusLabels[word]]));

function Choices({ list }: ListProps) {
  const listUrl = useListUrl();
  const valueOf = (name: string) => list.filters.find(([filter]) => filter === name)?.[1];
  const none = Object.fromEntries(filterParameters.map((name) => [name, ""]));
  return (
    <>
      <CreatedChoices
        chosen={valueOf("created")}
        addressOf={(value) => listUrl({ created: value, created_after: "", created_before: "" })}
      />
      {list.isAdmin && (
        <FilterChip
          to={listUrl({ ...none, deleted: "true" })}
          isChosen={valueOf("deleted") !== undefined}
        >
          Deleted
        </FilterChip>
      )}
      <ActiveFilters
        filters={list.filters.map(([name, value]) => ({
          name,
          words: describeFilter(name, value),
        }))}
        without={(name) =>
          listUrl({ [name]: "", ...(valueOf(name) === "deleted" && { deleted: "" }) })
        }
        withoutAny={listUrl(none)}
      />
    </>
  );
}
