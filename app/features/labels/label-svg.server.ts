/** One sheet of labels as SVG, in millimetres: the preview, and a file for other programs. */
import { formatCode } from "../../format/promotion";
import { darkRectangles } from "./dark-rectangles";
import { captionOf, expiryOf, modulesOf, type LabelSet } from "./generation-labels.server";
import { layOutLabel, quietZone, type CaptionLine, type Face } from "./label-layout";
import { cuttingLines, labelPlace } from "./label-sheets";
import { figures, measuringType, withoutInvisible } from "./label-type.server";

const sans = `font-family="'DejaVu Sans Condensed','DejaVu Sans',Verdana,sans-serif" font-stretch="condensed"`;

/** The fonts of PDF by the names that systems know them by, and others like them. */
const fontNames: Record<Face, string> = {
  bold: `${sans} font-weight="700"`,
  regular: sans,
  code: `font-family="'DejaVu Sans Mono',Menlo,Consolas,monospace" font-weight="700"`,
};

/**
 * The letters are drawn by the reader's fonts, which have more characters than ours: each line
 * states its width, so that it keeps to its place in all of them.
 * @param set the labels of this sheet
 * @param skipped places that stay empty before the first label
 */
export function labelsSvg(set: LabelSet, skipped: number): string {
  const { sheet, cut } = set.options;
  const { width, height } = sheet.paper;
  const caption = captionOf(set);
  caption.name = withoutInvisible(caption.name);
  const modules = modulesOf(set.labels[0]!, set).size;
  const { qr, lines } = layOutLabel(sheet.label, caption, modules, measuringType().measure);
  const [left, top] = [qr.x + quietZone * qr.module, qr.y + quietZone * qr.module];

  const labels = set.labels.map((label, index) => {
    const { x, y } = labelPlace(sheet, skipped + index);
    const texts = lines.map((line) => {
      if (line.part === "code") return textElement(formatCode(label.code), line);
      return textElement(line.part === "expiry" ? expiryOf(label, set) : line.text, line);
    });
    const path = darkRectangles(modulesOf(label, set))
      .map((run) => `M${run.x} ${run.y}h${run.width}v${run.height}h-${run.width}z`)
      .join("");
    return (
      `<g transform="translate(${figures(x, y)})">${texts.join("")}` +
      `<path transform="translate(${figures(left, top)})scale(${figures(qr.module)})" d="${path}"/></g>\n`
    );
  });
  const cuts = cuttingLines(sheet, cut).map(
    ([from, to]) => `M${figures(from.x, from.y)}L${figures(to.x, to.y)}`,
  );
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${figures(width)}mm" height="${figures(height)}mm" ` +
    `viewBox="0 0 ${figures(width, height)}">\n` +
    `<path fill="#fff" d="M0 0h${figures(width)}v${figures(height)}H0z"/>\n` +
    (cuts.length > 0 ? `<path stroke="#808080" stroke-width=".1" d="${cuts.join("")}"/>\n` : "") +
    `${labels.join("")}</svg>\n`
  );
}

function textElement(text: string, { face, size, x, y, width }: CaptionLine): string {
  if (text === "") return "";
  return (
    `<text x="${figures(x)}" y="${figures(y)}" font-size="${figures(size)}" ${fontNames[face]} ` +
    `textLength="${figures(width)}" lengthAdjust="spacingAndGlyphs">${escaped(text)}</text>`
  );
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
