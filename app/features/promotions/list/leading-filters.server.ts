/** Filters that lead to rows by paths of their own, because few rows may pass them. */
import { isWithinHoursOf, singlesByStartSql, startsAheadSql } from "../promotion-sql.server";
import { isShortNeedle, type PromotionFilters } from "./promotion-filters";
import {
  all,
  codePattern,
  matchingMachinesSql,
  never,
  startCondition,
} from "./promotion-filters.server";

/** Number of rows that are checked in the requested order before other paths are taken. */
export const scanLimit = 10_000;

/**
 * A path by an index that the planner chooses, or through the codes of sets (`of` selects their ids)
 * or of mass generations (`of` is a condition on the row `g`).
 */
export type AccessPath =
  { by: "rows"; condition: string } | { by: "sets" | "generations"; of: string; condition: string };

/** Whether the code `p` has the set of its generation `g`. */
const sharesSetSql = "p.set_id = g.set_id";

type ScannedPaths = { paths: AccessPath[]; scanFirst: number };

/** Codes that are active where their mass generation lets them: `of` is a condition on the row `g`. */
const activePaths = (of: string): ScannedPaths => ({
  scanFirst: scanLimit,
  paths: [
    { by: "generations", of, condition: sharesSetSql },
    {
      by: "sets",
      of: `select s.id from assignment_sets s where s.is_assigned
        and not exists (select from mass_generations g where g.set_id = s.id)`,
      condition: "true",
    },
  ],
});

const isGenerationAssignedSql =
  "(select s.is_assigned from assignment_sets s where s.id = g.set_id)";

const startPaths = (isIn: (startsAt: string) => string): ScannedPaths => ({
  scanFirst: 0,
  paths: [
    { by: "generations", of: isIn("g.starts_at"), condition: "true" },
    {
      by: "rows",
      condition: `p.id = any(array(select single.id from ${singlesByStartSql(isIn)} single))`,
    },
  ],
});

/** Filters by start, status and hours that few codes may pass, wherever they are in the order of a list. */
export function campaignStatePaths(filters: PromotionFilters): ScannedPaths | null {
  const isStartIn = startCondition(filters);
  if (isStartIn) return startPaths(isStartIn);
  if (filters.status === "scheduled") return startPaths(startsAheadSql);
  if (filters.isRunning) return activePaths(all([isGenerationAssignedSql, isWithinHoursOf("g")]));
  return filters.status === "active" ? activePaths(isGenerationAssignedSql) : null;
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
      { by: "generations", of: generations, condition: "true" },
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
      { by: "generations", of: hasMachineSql("g.set_id"), condition: sharesSetSql },
      { by: "sets", of: ownSets, condition: "true" },
    ],
    hasMachineSql,
  };
}

/** The text leads; of whole generations only those are read that the machine is assigned to as well. */
export function bothPaths(
  text: LeadingFilter,
  { condition, hasMachineSql }: MachineFilter,
): AccessPath[] {
  return text.paths.flatMap((path): AccessPath[] => {
    if (path.by === "rows") return [{ ...path, condition: all([path.condition, condition]) }];
    const copies = `select s.id from assignment_sets s
      where s.copied_from in (select g.set_id from mass_generations g where ${path.of})
        and ${hasMachineSql("s.id")}`;
    const generations = all([path.of, hasMachineSql("g.set_id")]);
    return [
      { by: "generations", of: generations, condition: sharesSetSql },
      { by: "sets", of: copies, condition: "true" },
    ];
  });
}
