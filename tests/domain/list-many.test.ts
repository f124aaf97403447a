import { beforeAll, expect, test } from "vitest";
import { db } from "../../app/db/connection.server";
import { countPromotions } from "../../app/features/promotions/list/count-promotions.server";
import { listPromotions } from "../../app/features/promotions/list/list-promotions.server";
import {
  noFilters,
  parsePromotionApiList,
  promotionList,
  type PromotionFilters,
  type PromotionSort,
} from "../../app/features/promotions/list/promotion-filters";
import { filterSql } from "../../app/features/promotions/list/access-paths.server";
import {
  clockBindings,
  clockSql,
  storedStatusSql,
} from "../../app/features/promotions/promotion-sql.server";
import { readTotal } from "../../app/features/dashboard/promotion-states.server";
import { promotionOperations } from "../../app/http/operations/promotions.server";
import { insertUser } from "../factories/people-and-machines";
import { promotionStatuses } from "../../app/features/promotions/promotion";
import { useDatabase } from "../support/postgres";
import { isSoak } from "../support/repetitions";
import { rowById } from "../factories/rows";

const promotionSorts = Object.keys(promotionList.sorts) as PromotionSort["by"][];

/** Enough rows that the list takes each of its access paths. */
useDatabase();

beforeAll(async () => {
  await db().raw(`
    insert into machines (serial_number, human_name)
    select 'VM-' || g, (array['Lobby', 'Canteen', 'Gate'])[1 + g % 3] from generate_series(1, 6) g;
    insert into machine_groups (name) values ('North');
    insert into machine_group_members (group_id, machine_id)
    select g.id, m.id from machine_groups g, machines m where m.serial_number = 'VM-6';

    insert into mass_generations (name, num_codes, discount_type, discount_value, is_single_use,
      is_renewable, expires_at, created_at)
    select 'Batch ' || g || (array[' summer', ' winter', ''])[1 + g % 3], 800, 'percentage', 5 + g % 4,
      true, false, case g % 4 when 0 then now() - interval '1 day' when 1 then now() + interval '9 days' end,
      now() - interval '1 hour' * (g / 2) from generate_series(1, 14) g;
    insert into promotions (code, mass_generation_id, name, discount_type, discount_value,
      is_single_use, is_renewable, expires_at, max_uses, period_uses, activation_count, is_active,
      set_id, is_deleted, deleted_at, created_at)
    select translate(upper(substr(md5('mass' || g.id || '/' || n), 1, 12)), '01', 'XY'), g.id, g.name,
      g.discount_type, g.discount_value, true, false, g.expires_at, 1, (n % 3 = 0)::integer,
      (n % 3 = 0)::integer, n % 17 <> 0, 
      case when n % 250 = 1 then new_assignment_set() else g.set_id end, n % 50 = 0,
      case when n % 50 = 0 then now() end,
      case when g.id % 5 = 0 and n > 700 then now() else g.created_at end
    from mass_generations g, generate_series(1, 800) n;
    insert into added_codes (mass_generation_id, first_number, num_codes, created_by)
    select id, 701, num_codes - 700, 1 from mass_generations where id % 5 = 0;
    insert into promotions (code, name, discount_type, discount_value, is_single_use, is_renewable,
      max_uses, activation_count, created_at)
    select translate(upper(substr(md5('single' || g), 1, 12)), '01', 'XY'),
      (array['Summer', 'Welcome'])[1 + g % 2], 'free_drink', 1 + g % 5, false, false, 1 + g % 5, 0,
      now() - interval '10 minutes' * (g % 40) from generate_series(1, 2200) g;
    insert into assignments (set_id, machine_id)
    select g.set_id, m.id from mass_generations g, machines m
    where g.id <> 5 and (g.id + m.id) % 3 = 0;
    insert into assignments (set_id, group_id)
    select g.set_id, r.id from mass_generations g, machine_groups r where g.id in (3, 8);
    insert into assignments (set_id, machine_id)
    select p.set_id, m.id
    from promotions p left join mass_generations g on g.id = p.mass_generation_id, machines m
    where p.set_id is distinct from g.set_id and (p.id + m.id) % 5 = 0;
    update assignment_sets s set copied_from = g.set_id
    from promotions p join mass_generations g on g.id = p.mass_generation_id
    where s.id = p.set_id and p.set_id <> g.set_id;
    update promotions set is_renewable = true, period_key = 202001, period_uses = 1, activation_count = 1
    where mass_generation_id is null and id % 10 = 0;
    update promotions set period_uses = 1, activation_count = 1 + id % 30
    where max_uses > 1 and id % 11 = 0 and not is_renewable;
    update promotions set discount_type = 'percentage', max_uses = null, activation_count = id % 400
    where mass_generation_id is null and id % 7 = 0 and not is_renewable;
    update assignment_sets set is_assigned = true where id in (select set_id from assignments);
    analyze promotions, mass_generations, assignment_sets, assignments, machine_group_members;
  `);
});

const ordered: Record<PromotionSort["by"], string> = {
  created: "p.created_at :to, p.id :to",
  type: "(p.mass_generation_id is null) :to, p.created_at :to, p.id :to",
  name: "p.name :to, p.id :to",
  discount: "p.discount_type :to, p.discount_value :to, p.id :to",
  discount_type: "p.discount_type :to, p.discount_value :to, p.id :to",
  is_single_use: "p.is_single_use :to, p.created_at :to, p.id :to",
  is_renewable: "p.is_renewable :to, p.created_at :to, p.id :to",
  uses_left: `coalesce(p.max_uses - case
    when p.is_renewable and p.period_key < (select period_key from clock) then 0
    else p.period_uses end, 1e9) :to, p.created_at :to, p.id :to`,
  status: `strpos('deleted, inactive, expired, used_up, not_assigned, scheduled, active',
    concat(' ', ${storedStatusSql})) :to, p.created_at :to, p.id :to`,
  expiration: "coalesce(p.expires_at, 'infinity') :to, p.id :to",
  used: "p.activation_count :to, p.id :to",
};

/** Filters, and orders in which they are read besides that of the creation; the soak reads every order. */
const cases: [string, Partial<PromotionFilters>, string[]][] = [
  ["everything", {}, ["type"]],
  ["deleted ones too", { deleted: "with" }, ["-name", "uses_left", "-uses_left"]],
  ["few by their text", { text: "Batch 12" }, ["discount_type"]],
  ["a text of generations", { text: "batch" }, ["-discount"]],
  ["a text of both", { text: "summer" }, ["expiration"]],
  ["machines", { controller: "lobby" }, ["-is_single_use"]],
  ["one machine", { serialNumber: "VM-6" }, ["is_renewable"]],
  ["a text at machines", { controller: "lobby", text: "summer" }, ["-name"]],
  [
    "a text at machines, expired or not",
    { serialNumber: "VM", text: "bat", deleted: "with" },
    ["type"],
  ],
  ["what is at the end of every order", { isIndefinite: true }, ["-status"]],
  ["single ones", { type: "single" }, ["name", "used", "-used", "uses_left", "-uses_left"]],
  ["a status", { status: "used_up" }, ["-name"]],
  ["a status by its paths", { status: "active" }, ["discount_type"]],
];
const everySort = promotionSorts.flatMap((by) => [by, `-${by}`]);

/** Cases whose number the summary has. */
const isCounted = ["everything", "a status", "a status by its paths"];

test.each(cases)(
  "%s: pages and cursors both ways, in order, and their exact number",
  async (name, some, sorts) => {
    const filters = { ...noFilters, ...some };
    const { sql, bindings } = filterSql(filters);
    const total = await countPromotions(filters);
    expect(await readTotal(filters)).toBe(isCounted.includes(name) ? total : null);
    for (const sort of isSoak ? everySort : ["-created", ...sorts]) {
      const isDescending = sort.startsWith("-");
      const by = sort.replace("-", "") as PromotionSort["by"];
      const order = ordered[by].replaceAll(":to", isDescending ? "desc" : "asc");
      const { rows } = await db().raw<{ rows: { id: string }[] }>(
        `with ${clockSql} select p.id from promotions p where ${sql} order by ${order}`,
        { ...clockBindings(), ...bindings },
      );
      const ids = rows.map(({ id }) => id);
      const first = {
        page: 1,
        perPage: 25,
        after: null,
        before: null,
        sort: { by, isDescending },
        filters,
      };
      const read = async (at: { page?: number; after?: string; before?: string }) => {
        const list = await listPromotions({ ...first, ...at });
        return list.promotions.map(({ id }) => id);
      };
      expect(ids.length).toBe(total);
      expect(await read({})).toEqual(ids.slice(0, 25));
      const start = Math.min(725, Math.floor((ids.length - 1) / 25) * 25);
      expect(await read({ page: 30 })).toEqual(ids.slice(start, start + 25));
      for (const depth of [40, ids.length - 60]) {
        expect(await read({ page: 2, after: ids[depth]! })).toEqual(
          ids.slice(depth + 1, depth + 26),
        );
        expect(await read({ page: 3, before: ids[depth]! })).toEqual(ids.slice(depth - 25, depth));
      }
    }
  },
);

test("each status has the number of its codes, and a campaign that of its own", async () => {
  for (const status of promotionStatuses.filter((status) => status !== "deleted")) {
    const filters = { ...noFilters, status };
    expect([status, await readTotal(filters)]).toEqual([status, await countPromotions(filters)]);
  }
  const [campaign] = await db()("mass_generations").orderBy("id").pluck<string[]>("id");
  const ofCampaign = { ...noFilters, massGenerationId: campaign! };
  expect(await readTotal(ofCampaign)).toBe(800);
  await rowById("mass_generations", campaign).update({
    is_deleted: true,
    deleted_at: db().fn.now(),
  });
  expect(await readTotal(ofCampaign)).toBeNull();
});

test("the API counts more than 10,000 codes if it is asked to, unless their number is known", async () => {
  const user = await insertUser();
  const read = async (search: string) => {
    const reader = { ...user, role: "user" as const };
    const url = `http://localhost/api/promotions?per_page=1&${search}`;
    const { query, errors } = parsePromotionApiList(new URL(url).searchParams, reader);
    expect(errors).toEqual({});
    const [operation] = promotionOperations;
    const answer = await operation!.run({
      query,
      user: reader,
      request: new Request(url),
    } as never);
    const { total, total_at_least } = answer as unknown as Record<string, number>;
    return { total, total_at_least };
  };
  const percentages = await countPromotions({ ...noFilters, discountType: "percentage" });
  expect(percentages).toBeGreaterThan(10_000);
  expect(await read("")).toEqual({ total: await countPromotions(noFilters) });
  expect(await read("is_used=true")).toEqual({
    total: await countPromotions({ ...noFilters, isUsed: true }),
  });
  expect(await read("discount_type=percentage")).toEqual({ total_at_least: 10_000 });
  expect(await read("discount_type=percentage&count=exact")).toEqual({ total: percentages });
  expect(await read("discount_type=percentage&count=none")).toEqual({});
});

test("counting gives up after 3 seconds and says what to do", async () => {
  const counting = countPromotions({ ...noFilters, discountType: "percentage" }, { timeoutMs: 1 });
  await expect(counting).rejects.toMatchObject({
    reason: "invalid",
    fields: { count: "Narrow the filters, or leave 'count' out." },
    message: "Counting takes longer than 3 seconds. Narrow the filters, or leave 'count' out.",
  });
  expect(await countPromotions(noFilters)).toBeGreaterThan(10_000);
});
