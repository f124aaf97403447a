// Without script: the browser's own suggestions for a field, by its `list`.
import { useCachedMarkup } from "../../ui/markup-cache";
import type { MachineChoice } from "./machine";

/** @param id named by the `list` of the fields; nothing is there when there are too many machines */
export function SerialSuggestions({
  id,
  machines,
}: {
  id: string;
  machines: readonly MachineChoice[];
}) {
  const cachedMarkup = useCachedMarkup();
  if (machines.length === 0) return null;
  const options = () =>
    machines.map(({ serialNumber, humanName }) => (
      <option key={serialNumber} value={serialNumber}>
        {humanName}
      </option>
    ));
  return (
    <datalist id={id} {...cachedMarkup(import.meta.env.SSR && JSON.stringify(machines), options)} />
  );
}
