import jsQR from "jsqr";
import * as mupdf from "mupdf";
import {
  labelPlace,
  labelsPerSheet,
  type LabelSheet,
} from "../../app/features/labels/label-sheets";

/** Pixels of a page, as a scanner would deliver them. */
export type Scan = { data: ArrayLike<number>; width: number; channels: number; dpi: number };

/** Faults of the documents that were read, which the reader skips and reports. */
export const faults: string[] = [];
mupdf.setLog({ error: (fault) => faults.push(fault), warning: (fault) => faults.push(fault) });

export function openPdf(pdf: Uint8Array): mupdf.Document {
  return mupdf.Document.openDocument(pdf, "application/pdf");
}

export function scanPage(document: mupdf.Document, page: number, dpi: number): Scan {
  const scale = mupdf.Matrix.scale(dpi / 72, dpi / 72);
  const pixmap = document.loadPage(page).toPixmap(scale, mupdf.ColorSpace.DeviceGray, false);
  const data = Uint8Array.from(pixmap.getPixels());
  const width = pixmap.getStride();
  pixmap.destroy();
  return { data, width, channels: 1, dpi };
}

/** Reads each label of a sheet with an independent decoder; null where it finds no code. */
export function readLabels(scan: Scan, sheet: LabelSheet): (string | null)[] {
  return Array.from({ length: labelsPerSheet(sheet) }, (_, index) => {
    const { x, y } = labelPlace(sheet, index);
    const { width, height } = sheet.label;
    const pixels = (millimetres: number) => Math.round((millimetres * scan.dpi) / 25.4);
    const read = (margin: number) =>
      readArea(
        scan,
        pixels(x) + margin,
        pixels(y) + margin,
        pixels(width) - 2 * margin,
        pixels(height) - 2 * margin,
      );
    // The decoder misses one picture in a thousand, by how its pixels fall; who scans moves a little then.
    return read(0) ?? read(1);
  });
}

function readArea(scan: Scan, left: number, top: number, width: number, height: number) {
  const pixels = new Uint32Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const grey = scan.data[((top + y) * scan.width + left + x) * scan.channels] ?? 255;
      pixels[y * width + x] = 0xff000000 | (grey * 0x010101);
    }
  }
  return (
    jsQR(new Uint8ClampedArray(pixels.buffer), width, height, { inversionAttempts: "dontInvert" })
      ?.data ?? null
  );
}

/** The words of a page, line by line. */
export function linesOfPage(document: mupdf.Document, page: number): string[] {
  return document.loadPage(page).toStructuredText("").asText().split("\n").filter(Boolean);
}

/** The characters of a page with the place where each is drawn, in points. */
export function charactersOfPage(document: mupdf.Document, page: number) {
  const found: { character: string; x: number; y: number }[] = [];
  document
    .loadPage(page)
    .toStructuredText("")
    .walk({ onChar: (character, [x, y]) => void found.push({ character, x, y }) });
  return found;
}
