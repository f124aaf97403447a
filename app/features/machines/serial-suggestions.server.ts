import { db } from "../../db/connection.server";
import { maxSuggestions, type SerialSuggestion } from "./serial-suggestions";

/** The machines that the platform lists, by serial number; none when there are too many. */
export async function suggestMachines(): Promise<SerialSuggestion[]> {
  const machines = await db()("machines")
    .where({ is_deleted: false })
    .orderBy("serial_number")
    .limit(maxSuggestions + 1)
    .select<SerialSuggestion[]>({ serialNumber: "serial_number", humanName: "human_name" });
  return machines.length > maxSuggestions ? [] : machines;
}
