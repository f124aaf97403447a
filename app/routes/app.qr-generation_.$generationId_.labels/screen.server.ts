import { captionOf, type LabelledGeneration } from "../../features/labels/generation-labels.server";
import { firstSheetOf, partsOf } from "../../features/labels/label-files.server";
import { formatGroups, formatLabels, parseLabelOptions } from "../../features/labels/label-options";
import { pdfLayout } from "../../features/labels/label-pdf.server";
import { labelsPerSheet } from "../../features/labels/label-sheets";
import { measuringType } from "../../features/labels/label-type.server";
import { toScreenView } from "./screen-view";

/** Loads the screen: the form as filled, and the resulting layout. */
export async function labelScreen(
  generation: LabelledGeneration,
  params: URLSearchParams,
  site: { template: string; timeZone: string },
) {
  const { options, typed, problems } = parseLabelOptions(params);
  const set = await firstSheetOf(generation, options, site);
  const layout = pdfLayout(set, measuringType());
  const { replaced } = measuringType().printable(captionOf(set).name);
  const { sheet, caption } = options;
  const parts = partsOf(generation, options);
  return {
    generation: { id: generation.id, name: generation.name },
    form: { typed, caption, problems, groups },
    address: new URLSearchParams(options.params).toString(),
    paper: sheet.paper,
    ...toScreenView({ sheet, layout, replaced, parts, perSheet: labelsPerSheet(sheet) }),
  };
}

const groups = formatGroups.map(({ label, formats }) => ({
  label,
  formats: formats.map((format): [string, string] => [format, formatLabels(format)]),
}));

export type LabelScreen = Awaited<ReturnType<typeof labelScreen>>;
