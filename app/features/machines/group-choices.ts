import type { GroupChoice } from "./machine-group";

/** The groups of a form as the server lays them out. */
export type GroupChoices = {
  /** Those whose name matches first; at most `maxShownGroups`, and all that are selected. */
  shown: GroupChoice[];
  total: number;
  /** Ids. */
  selected: string[];
  search: string;
};

/** Fewer are found without a search. */
export const searchedFrom = 21;
export const maxShownGroups = 200;

/** By name, whatever the case; otherwise the order stays. */
export function matchingGroupsFirst<Kind extends Pick<GroupChoice, "name">>(
  groups: readonly Kind[],
  search: string,
): Kind[] {
  const needle = search.trim().toLowerCase();
  const matches = (group: Kind) => group.name.toLowerCase().includes(needle);
  return [...groups.filter(matches), ...groups.filter((group) => !matches(group))];
}

export function layOutGroupChoices(
  groups: readonly GroupChoice[],
  { selected, search }: { selected: readonly string[]; search: string },
): GroupChoices {
  const isSelected = new Set(selected);
  return {
    shown: matchingGroupsFirst(groups, search).filter(
      (group, index) => index < maxShownGroups || isSelected.has(group.id),
    ),
    total: groups.length,
    selected: groups.filter((group) => isSelected.has(group.id)).map((group) => group.id),
    search,
  };
}
