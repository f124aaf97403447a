import { formatNumber } from "../../format/number";

/** '1 machine', '2,000 machines'. */
export function toMachinesView(count: number): string {
  return `${formatNumber(count)} ${count === 1 ? "machine" : "machines"}`;
}
