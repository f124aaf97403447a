/** Filters that lead to rows by paths of their own, because few rows may pass them. */
import { allOf } from "../../../db/pages.server";
import {
  isUsableSql,
  isWithinHoursOf,
  singlesByStartSql,
  startsAheadSql,
} from "../promotion-sql.server";
import { isShortNeedle, type PromotionFilters } from "./promotion-filters";
import {
  codePattern,
  matchingMachinesSql,
  never,
  startCondition,
} from "./promotion-filters.server";

/** Number of rows that are checked in the requested order before other paths are taken. */
export const scanLimit = 10_000;

/** A path to rows `p` that fulfil its condition. */
export type AccessPath =
  /** By an index that the planner chooses for the condition. */
  | { by: "rows"; condition: string }
  /** By the index of the sets whose ids `idsSql` selects. */
  | { by: "sets"; idsSql: string; condition: string }
  /** By the index of the mass generations `g` that fulfil `generationSql`. */
  | { by: "generations"; generationSql: string; condition: string };

export type LeadingPaths = {
  /** All rows that match are reached by one of them; null where no filter leads to rows. */
  paths: AccessPath[] | null;
  /** Number of rows in the requested order that are worth checking before the paths are followed; null is none. */
  scanFirst: number | null;
  /** Whether all rows on the paths have the status of the filters, which is not checked again. */
  impliesStatus?: true;
};

/** Whether the code `p` has the set of its generation `g`. */
const sharesSetSql = "p.set_id = g.set_id";

/** Leads to codes that are active where their mass generation lets them. @param generationSql a condition on `g` */
const activePaths = (generationSql: string): LeadingPaths => ({
  scanFirst: scanLimit,
  paths: [
    { by: "generations", generationSql, condition: sharesSetSql },
    {
      by: "sets",
      idsSql: `select s.id from assignment_sets s where s.is_assigned
        and not exists (select from mass_generations g where g.set_id = s.id)`,
      condition: "true",
    },
  ],
});

const isGenerationAssignedSql =
  "(select s.is_assigned from assignment_sets s where s.id = g.set_id)";

const startPaths = (isIn: (startsAt: string) => string): LeadingPaths => ({
  scanFirst: null,
  paths: [
    { by: "generations", generationSql: isIn("g.starts_at"), condition: "true" },
    {
      by: "rows",
      condition: `p.id = any(array(select single.id from ${singlesByStartSql(isIn)} single))`,
    },
  ],
});

const unassignedPaths: LeadingPaths = {
  scanFirst: scanLimit,
  paths: [
    {
      by: "sets",
      idsSql: "select id from assignment_sets where not is_assigned",
      condition: isUsableSql,
    },
  ],
  impliesStatus: true,
};

/** Returns the paths of filters by start, status and hours, which few codes may pass wherever they are in an order. */
function statePaths(filters: PromotionFilters): LeadingPaths | null {
  const isStartIn = startCondition(filters);
  if (isStartIn) return startPaths(isStartIn);
  if (filters.status === "scheduled") return startPaths(startsAheadSql);
  if (filters.isRunning) return activePaths(allOf([isGenerationAssignedSql, isWithinHoursOf("g")]));
  if (filters.status === "active") return activePaths(isGenerationAssignedSql);
  return filters.status === "not_assigned" ? unassignedPaths : null;
}

/** A machine may accept most codes, and then the newest ones do. */
const machineScanLimit = 100;

/** Returns the paths of the filter that the fewest rows pass. */
export function leadingPaths(
  filters: PromotionFilters,
  text: LeadingFilter | null,
  machine: MachineFilter | null,
): LeadingPaths {
  if (machine)
    return {
      paths: text ? bothPaths(text, machine) : machine.paths,
      scanFirst: machineScanLimit,
    };
  if (text) return { paths: text.paths, scanFirst: null };
  return statePaths(filters) ?? { paths: null, scanFirst: scanLimit };
}

/** A filter that few rows pass, and the paths to them: those that reach most codes first. */
type LeadingFilter = { condition: string; paths: AccessPath[] };

/**
 * Names of mass generations are as many as generations, each for hundreds of codes: they are looked
 * for there. A code can't have its own.
 */
export function textFilter(filters: PromotionFilters): LeadingFilter | null {
  const { text } = filters;
  if (text === "") return null;
  const byCode = codePattern(filters) === null ? never : "p.code like :codePattern";
  const codePath: AccessPath = { by: "rows", condition: byCode };
  if (isShortNeedle(text)) return { condition: byCode, paths: [codePath] };
  const bySingleName = "p.mass_generation_id is null and p.name ilike :nameNeedle";
  const generations = "g.name ilike :nameNeedle";
  const byGeneration = `p.mass_generation_id in (
    select g.id from mass_generations g where ${generations})`;
  return {
    condition: `(${bySingleName}) or ${byGeneration} or ${byCode}`,
    paths: [
      { by: "generations", generationSql: generations, condition: "true" },
      { by: "rows", condition: bySingleName },
      ...(byCode === never ? [] : [codePath]),
    ],
  };
}

type MachineFilter = LeadingFilter & { hasMachineSql: (setId: string) => string };

export function machineFilter(filters: PromotionFilters): MachineFilter | null {
  const machines = matchingMachinesSql(filters);
  if (machines === null) return null;
  // 'offset 0' makes it a check of one set, and 'is true' one look-up in a hash table of machines.
  const hasMachineSql = (setId: string) => `exists (select from assigned_machines a
    where a.set_id = ${setId} and (a.machine_id in (${machines})) is true offset 0)`;
  const ownSets = `select a.set_id from assigned_machines a where a.machine_id = any(array(${machines}))
    and not exists (select from mass_generations g where g.set_id = a.set_id)`;
  return {
    condition: hasMachineSql("p.set_id"),
    paths: [
      { by: "generations", generationSql: hasMachineSql("g.set_id"), condition: sharesSetSql },
      { by: "sets", idsSql: ownSets, condition: "true" },
    ],
    hasMachineSql,
  };
}

/** The text leads; of whole generations only those are read that the machine is assigned to as well. */
function bothPaths(text: LeadingFilter, { condition, hasMachineSql }: MachineFilter): AccessPath[] {
  return text.paths.flatMap((path): AccessPath[] => {
    if (path.by !== "generations")
      return [{ ...path, condition: allOf([path.condition, condition]) }];
    const copies = `select s.id from assignment_sets s
      where s.copied_from in (select g.set_id from mass_generations g where ${path.generationSql})
        and ${hasMachineSql("s.id")}`;
    const generationSql = allOf([path.generationSql, hasMachineSql("g.set_id")]);
    return [
      { by: "generations", generationSql, condition: sharesSetSql },
      { by: "sets", idsSql: copies, condition: "true" },
    ];
  });
}
