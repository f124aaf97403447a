/** A code as its customer may know it. */
import { db, one } from "../../db/connection.server";
import { normaliseCode } from "../../forms/code-input";
import { parseRecordId } from "../../forms/record-id";
import type { ReachableCap } from "../caps/cap";
import { joinCapsSql } from "../caps/cap-sql.server";
import type { Promotion } from "../promotions/promotion";
import {
  clockBindings,
  clockSql,
  joinGenerationSql,
  promotionColumns,
  statusSql,
} from "../promotions/promotion-sql.server";
import { reachedCapAtAnyPriceSql } from "../redemptions/redemption-sql.server";

export type CustomerCode = Promotion & {
  /** The cap that is reached at whatever machine. */
  cap: ReachableCap | null;
  /** Names of the machines that accept it, in order; at most `maxMachines`. */
  machines: string[];
  machineCount: number;
};

/** The number of machines that a page names. */
const maxMachines = 20;

/** Reads a code that is not deleted. What is malformed or deleted takes the same statement as what never was a code. */
export function findCustomerCode(text: string) {
  return readCode("p.code = :value", normaliseCode(text) ?? "");
}

/** Reads a code by the id of its promotion, as `findCustomerCode` does. */
export function getCustomerCode(id: string) {
  return readCode("p.id = :value", parseRecordId(id));
}

async function readCode(conditionSql: string, value: string | null): Promise<CustomerCode | null> {
  return one<CustomerCode>(
    db(),
    `with ${clockSql}
     select ${promotionColumns}, ${reachedCapAtAnyPriceSql} as cap, accepting.machines, accepting.machine_count
     from promotions p
       ${joinGenerationSql}
       left join machines m on false
       ${joinCapsSql}
       cross join lateral (
         select coalesce((array_agg(named.name order by named.name))[1:${maxMachines}], '{}') as machines,
           count(*)::integer as machine_count
         from (
           select distinct machine.id, coalesce(nullif(machine.human_name, ''), machine.serial_number) as name
           from effective_machines e join machines machine on machine.id = e.machine_id
           where e.set_id = p.set_id) named) accepting
     where ${conditionSql} and ${statusSql} <> 'deleted'`,
    { ...clockBindings(), value },
  );
}
