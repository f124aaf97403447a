// Without script: words.
import { formatNumber } from "../../format/number";
import { formatCodes } from "../../format/promotion";
import { about as aboutClass } from "../../features/promotions/manage-machines/machines-dialog.css";
import { muted } from "#styles/global.css";
import type { ManagedGeneration } from "./manage.server";

type AboutProps = {
  about: Pick<ManagedGeneration, "name" | "numCodes" | "ownCodes" | "isReadOnly">;
};

/** Which codes a change here is for, and which it is not. */
export function AboutGeneration({ about: { name, numCodes, ownCodes, isReadOnly } }: AboutProps) {
  return (
    <div className={aboutClass}>
      <p>
        <strong>{name}</strong> {formatCodes(numCodes)}
      </p>
      {isReadOnly && <p>This mass generation is deleted. Its machines can&apos;t be changed.</p>}
      {!isReadOnly && (
        <p className={muted}>
          {ownCodes === 0
            ? "A change here is for all its codes."
            : `A change here is for ${formatCodes(numCodes - ownCodes)}. ${formatNumber(ownCodes)} ${ownCodes === 1 ? "code has machines of its own and stays" : "codes have machines of their own and stay"} as ${ownCodes === 1 ? "it is" : "they are"}.`}
        </p>
      )}
    </div>
  );
}
