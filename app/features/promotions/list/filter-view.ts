import { createdChoices, type CreatedWithin } from "../../../forms/list-filters";
import type { PromotionStatus } from "../promotion";
import type { FilterParameter } from "./promotion-filters";
import { statusLabels } from "../promotion-view";

const labels: Record<FilterParameter, string> = {
  created: "Created",
  created_after: "Created after",
  created_before: "Created before",
  serial_number: "Serial number",
  controller: "Controller",
  text: "Text",
  type: "Type",
  status: "Status",
  is_used: "Used",
  is_reusable: "Reusable",
  is_expired: "Expired",
  is_indefinite: "Without end",
  mass_generation_id: "Mass generation",
  include_deleted: "Deleted",
  deleted: "Deleted",
};

/** 'Status: Used up' */
export function describeFilter(name: FilterParameter, value: string): string {
  return `${labels[name]}: ${describeValue(name, value)}`;
}

function describeValue(name: FilterParameter, value: string): string {
  if (name === "created") return createdChoices[value as CreatedWithin];
  if (name === "type") return value === "single" ? "Single" : "Mass Gen";
  if (name === "status") return statusLabels[value as PromotionStatus];
  if (name === "include_deleted") return "included";
  if (name === "deleted") return "only";
  if (value === "true") return "yes";
  return value === "false" && name.startsWith("is_") ? "no" : value;
}
