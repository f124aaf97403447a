import { createdChoices, type CreatedWithin } from "../../forms/list-filters";
import type { TransactionStatus, TransactionType } from "./transaction";
import type { TransactionParameter } from "./transaction-filters";
import { transactionStatusLabels, transactionTypeLabels } from "./transaction-view";

const labels: Record<TransactionParameter, string> = {
  created: "Created",
  created_after: "Created after",
  created_before: "Created before",
  machine: "Machine",
  promotion: "Code or name",
  mass_generation_id: "Mass generation",
  status: "Status",
  type: "Type",
  integration: "Integration",
};

/**
 * A filter that is set, in words: 'Status: Rolled back'.
 * @param integrations the names by their ids
 */
export function describeFilter(
  name: TransactionParameter,
  value: string,
  integrations: ReadonlyMap<string, string>,
): string {
  return `${labels[name]}: ${describeValue(name, value, integrations)}`;
}

function describeValue(
  name: TransactionParameter,
  value: string,
  integrations: ReadonlyMap<string, string>,
): string {
  if (name === "created") return createdChoices[value as CreatedWithin];
  if (name === "status") return transactionStatusLabels[value as TransactionStatus];
  if (name === "type") return transactionTypeLabels[value as TransactionType];
  if (name === "integration") return integrations.get(value) ?? value;
  return value;
}
