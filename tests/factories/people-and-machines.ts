import { randomBytes, randomUUID } from "node:crypto";
import { db } from "../../app/db/connection.server";

/** A row of `users` who can do everything but sign in. */
export async function insertUser(row: Record<string, unknown> = {}) {
  const [user] = await db()("users")
    .insert({ email: `${randomBytes(6).toString("hex")}@example.com`, ...row })
    .returning<{ id: string; email: string }[]>(["id", "email"]);
  return user!;
}

/** A user with a role, who acts. */
export async function insertActor<Role extends "admin" | "user">(role: Role) {
  return { ...(await insertUser({ role })), role };
}

/** A passkey that opens nothing. */
export async function insertPasskey(user_id: string, name = "Phone"): Promise<string> {
  const [passkey] = await db()("passkeys")
    .insert({ user_id, name, public_key: "", counter: 0, credential_id: randomUUID() })
    .returning<{ id: string }[]>("id");
  return passkey!.id;
}

/** @returns the id; the serial number is unlike any other unless it is given */
export async function insertMachine(row: Record<string, unknown> = {}) {
  const serial = `SN-${randomBytes(6).toString("hex")}`;
  const [machine] = await db()("machines")
    .insert({
      serial_number: serial,
      human_name: "Lobby",
      deleted_at: row.is_deleted ? new Date() : null,
      ...row,
    })
    .returning<{ id: string; serial_number: string }[]>(["id", "serial_number"]);
  return machine!;
}

export async function insertMachines(count: number) {
  const machines = [];
  for (let made = 0; made < count; made++) machines.push(await insertMachine());
  return machines;
}

/** VM-1 and VM-2 can be assigned; VM-3 is deleted. */
export async function insertLobbyCanteenAndCellar(): Promise<void> {
  await insertMachine({ serial_number: "VM-1", human_name: "Lobby" });
  await insertMachine({ serial_number: "VM-2", human_name: "Canteen" });
  await insertMachine({ serial_number: "VM-3", human_name: "Cellar", is_deleted: true });
}
