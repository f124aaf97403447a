// Without script: the same; long lists fold.
import type { Pasted } from "../../features/machines/group-members.server";
import { formatNumber } from "../../format/number";
import { facts } from "../../ui/layout/layout.css";
import { Fact } from "../../ui/layout/page";

/** More serial numbers than this are folded away. */
const maxOpen = 20;

/** Reports the result for every pasted serial number. */
export function PasteReport({ pasted }: { pasted: Pasted }) {
  const lists: [string, string[]][] = [
    ["Added", pasted.added],
    ["Already in the group", pasted.alreadyIn],
    ["Not known", pasted.unknown],
    ["Could mean several", pasted.ambiguous],
    ["Deleted from SmartVend", pasted.deleted],
  ];
  return (
    <dl className={facts} aria-label="What became of the serial numbers">
      {lists.map(
        ([name, serials]) =>
          serials.length > 0 && (
            <Fact key={name} name={`${name} (${formatNumber(serials.length)})`}>
              <Serials serials={serials} />
            </Fact>
          ),
      )}
    </dl>
  );
}

function Serials({ serials }: { serials: string[] }) {
  const all = serials.join(", ");
  if (serials.length <= maxOpen) return <>{all}</>;
  return (
    <details>
      <summary>
        {serials.slice(0, 5).join(", ")} and {formatNumber(serials.length - 5)} more
      </summary>
      {all}
    </details>
  );
}
