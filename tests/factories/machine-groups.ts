import { db } from "../../app/db/connection.server";

let made = 0;

/** A row of `machine_groups` with these machines in it; its name is unlike any other unless it is given. */
export async function insertGroup(
  machineIds: readonly string[] = [],
  row: Record<string, unknown> = {},
): Promise<string> {
  made += 1;
  const [group] = await db()("machine_groups")
    .insert({ name: `Group ${made}`, kind: "site", ...row })
    .returning<{ id: string }[]>("id");
  if (machineIds.length > 0)
    await db()("machine_group_members").insert(
      machineIds.map((id) => ({ group_id: group!.id, machine_id: id })),
    );
  return group!.id;
}
