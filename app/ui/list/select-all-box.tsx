// Without script: nothing, since a box can't tick others.
type SelectAllBoxProps = {
  /** Rows of the page that are ticked, and all of them. */
  ticked: number;
  count: number;
  onTick: (isTicked: boolean) => void;
  "aria-label"?: string;
};

/** Ticks all rows of a page, and is half ticked where only some of them are. */
export function SelectAllBox({ ticked, count, onTick, ...label }: SelectAllBoxProps) {
  return (
    <input
      type="checkbox"
      {...label}
      checked={ticked === count}
      ref={(box) => {
        if (box) box.indeterminate = ticked > 0 && ticked < count;
      }}
      onChange={({ currentTarget }) => onTick(currentTarget.checked)}
    />
  );
}
