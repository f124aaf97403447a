/** Declares the list of all mass generations and that of the codes of one. */
import { defineList, type ListQuery } from "../../forms/list";
import { paths } from "../../paths";

export const generationList = defineList({
  path: paths.generations,
  pageSizes: [10, 25, 50],
  sorts: { created: "descending", name: "ascending", codes: "descending" },
  defaultSort: { by: "created", isDescending: true },
});

export type GenerationSort = keyof typeof generationList.sorts;
export type GenerationListQuery = ListQuery<GenerationSort>;

/** Codes have one order: that in which they were made, which is that of the archive. */
export const codeList = defineList({
  pageSizes: [10, 25, 50],
  sorts: { made: "ascending" },
  defaultSort: { by: "made", isDescending: false },
});
