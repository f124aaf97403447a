// Without script: the browser's own suggestions for a field, by its `list`.
import type { MachineChoice } from "./machine";

/** @param id named by the `list` of the fields; nothing is there when there are too many machines */
export function SerialSuggestions({
  id,
  machines,
}: {
  id: string;
  machines: readonly MachineChoice[];
}) {
  if (machines.length === 0) return null;
  return (
    <datalist id={id}>
      {machines.map(({ serialNumber, humanName }) => (
        <option key={serialNumber} value={serialNumber}>
          {humanName}
        </option>
      ))}
    </datalist>
  );
}
