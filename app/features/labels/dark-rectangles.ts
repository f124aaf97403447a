/** The dark modules of a QR code in rectangles, as vectors are printed. */

export type Modules = { size: number; data: ArrayLike<number> };

/** A rectangle in modules from the upper left one of the code, without its quiet zone. */
type Rectangle = { x: number; y: number; width: number; height: number };

/**
 * Runs of dark modules, row by row; a run that stands in the next row at the same place makes the
 * rectangle higher. That takes a third fewer of them than runs alone.
 */
export function darkRectangles({ size, data }: Modules): Rectangle[] {
  const found: Rectangle[] = [];
  // By column, where a rectangle begins that reaches down to the row before.
  let open = new Map<number, Rectangle>();
  for (let y = 0; y < size; y++) {
    const next = new Map<number, Rectangle>();
    for (let x = 0; x < size; x++) {
      let width = 0;
      while (x + width < size && data[y * size + x + width]) width++;
      if (width === 0) continue;
      let rectangle = open.get(x);
      if (rectangle?.width === width) rectangle.height++;
      else found.push((rectangle = { x, y, width, height: 1 }));
      next.set(x, rectangle);
      x += width;
    }
    open = next;
  }
  return found;
}
