/** Files that the labels of a generation are printed from, chosen by the parameters of their URL. */
import { DomainError } from "../../errors";
import {
  labelsTag,
  readLabels,
  type LabelledGeneration,
  type LabelSet,
} from "./generation-labels.server";
import { parseLabelOptions, type LabelOptions } from "./label-options";
import { codesOfSheet, labelParts, type LabelPart } from "./label-parts";
import { labelsPdf } from "./label-pdf.server";
import { labelsPerSheet } from "./label-sheets";
import { labelsSvg } from "./label-svg.server";

/** Settings of the site that labels depend on. */
type Site = Pick<LabelSet, "template" | "timeZone">;

type LabelFile = {
  fileName: string;
  /** Identifies the content: equal tags mean equal bytes. */
  tag: string;
  chunks: () => AsyncGenerator<Uint8Array | string>;
};

/** Splits all labels into files. */
export function partsOf(generation: LabelledGeneration, options: LabelOptions): LabelPart[] {
  const { numCodes } = generation;
  return labelParts({ numCodes, perSheet: labelsPerSheet(options.sheet), first: options.first });
}

/**
 * One part of the labels as PDF, or one sheet as SVG.
 * @param params those of the screen, and `part` or `sheet`
 * @throws DomainError invalid: an option; not_found: no such part or sheet
 */
export async function labelFile(
  kind: "pdf" | "svg",
  generation: LabelledGeneration,
  params: URLSearchParams,
  site: Site,
): Promise<LabelFile> {
  const { options, problems } = parseLabelOptions(params);
  const [problem] = Object.values(problems);
  if (problem) throw new DomainError("invalid", problem, problems);
  const parts = partsOf(generation, options);
  const number = readNumber(params, kind === "pdf" ? "part" : "sheet");
  const found =
    kind === "pdf" ? parts[number - 1] : codesOfSheet(parts, number, labelsPerSheet(options.sheet));
  if (!found) throw new DomainError("not_found", "There are fewer labels than that.");

  const labels = await readLabels(generation.id, found);
  const set: LabelSet = { generation, options, labels, ...site };
  const partName = kind === "svg" ? `_sheet_${number}` : parts.length > 1 ? `_part_${number}` : "";
  return {
    fileName: `mass_generation_${generation.id}_labels${partName}.${kind}`,
    tag: labelsTag(set, `${kind} ${number}`),
    chunks: () =>
      kind === "pdf" ? labelsPdf(set, found.skipped) : whole(labelsSvg(set, found.skipped)),
  };
}

async function* whole(content: string): AsyncGenerator<string> {
  yield content;
}

function readNumber(params: URLSearchParams, name: "part" | "sheet"): number {
  const text = params.get(name) ?? "1";
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new DomainError("invalid", `'${name}' must be a whole number from 1`);
}

/** The labels of the first sheet, for what the screen says about all of them. */
export async function firstSheetOf(
  generation: LabelledGeneration,
  options: LabelOptions,
  site: Site,
): Promise<LabelSet> {
  const perSheet = labelsPerSheet(options.sheet);
  const found = codesOfSheet(partsOf(generation, options), 1, perSheet)!;
  return { generation, options, labels: await readLabels(generation.id, found), ...site };
}
