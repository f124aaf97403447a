import { db } from "../../db/connection.server";
import { getPromotion } from "./list-promotions.server";
import type { Promotion } from "./promotion";

type Rows<Row> = { rows: Row[] };

export type AssignedMachine = { serialNumber: string; humanName: string; isDeleted: boolean };
/** What a promotion's own page shows beside its line of the list. */
export type PromotionDetails = {
  promotion: Promotion;
  /** Moves with every change; an edit names the one it saw. */
  version: number;
  /** By groups too; in the order of their serial numbers. */
  machines: AssignedMachine[];
  groups: string[];
};

/** @throws DomainError not_found, for what can be no id too */
export async function getPromotionDetails(id: string): Promise<PromotionDetails> {
  const promotion = await getPromotion(id);
  const [version, assigned] = await Promise.all([
    readVersion(promotion.id),
    readAssigned(promotion.id),
  ]);
  return { promotion, version, ...assigned };
}

async function readVersion(id: string): Promise<number> {
  const { rows } = await db().raw<Rows<{ version: number }>>(
    "select version from promotions where id = :id",
    { id },
  );
  return rows[0]!.version;
}

export type AssignedRow = {
  serial_number: string | null;
  human_name: string | null;
  is_deleted: boolean | null;
  group_name: string | null;
};

/** Its own rows, or its generation's as long as it has none of its own (rulings 3.5). */
async function readAssigned(id: string) {
  const { rows } = await db().raw<Rows<AssignedRow>>(
    `with promotion as (
       select id, mass_generation_id, has_own_machines from promotions where id = :id
     ), assigned as (
       select a.machine_id, a.group_id
       from promotion_assignments a join promotion p on p.id = a.promotion_id and p.has_own_machines
       union all
       select a.machine_id, a.group_id
       from mass_generation_assignments a
       join promotion p on p.mass_generation_id = a.mass_generation_id and not p.has_own_machines
     )
     select m.serial_number, m.human_name, m.is_deleted, g.name as group_name
     from assigned a left join machines m on m.id = a.machine_id
     left join machine_groups g on g.id = a.group_id
     order by m.serial_number, g.name`,
    { id },
  );
  return toAssigned(rows);
}

/** Each row is a machine or a group. */
export function toAssigned(rows: AssignedRow[]): Pick<PromotionDetails, "machines" | "groups"> {
  return {
    machines: rows.flatMap(({ serial_number, human_name, is_deleted }) =>
      serial_number === null
        ? []
        : [{ serialNumber: serial_number, humanName: human_name!, isDeleted: is_deleted! }],
    ),
    groups: rows.flatMap(({ group_name }) => (group_name === null ? [] : [group_name])),
  };
}
