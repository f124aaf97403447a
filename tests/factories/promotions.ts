import { randomBytes } from "node:crypto";
import { db } from "../../app/db/connection.server";
import { generateCodes } from "../../app/features/promotions/code";
import {
  type NewPromotion,
  singleFormSchema,
} from "../../app/features/promotions/form/promotion-forms";
import { withParsedTerms } from "../../app/features/promotions/form/terms-input.server";
import { parseFields } from "../../app/forms/form-validator";
import { setIdOf } from "./assignments";
import { rowById } from "./rows";

/**
 * Inserts a row of `promotions` as it would be after creation; say only what matters to the test.
 * @param facts.is_assigned whether the set counts as assigned; `assign` gives it machines
 * @param facts.has_own_set false for a code that shares the set of its mass generation
 */
export async function insertPromotion({
  is_assigned,
  has_own_set,
  ...row
}: Record<string, unknown> = {}): Promise<string> {
  const discountType = row.discount_type ?? "percentage";
  const discountValue = row.discount_value ?? (discountType === "percentage" ? 25 : 3);
  const freeDrinks = discountType === "free_drink" ? discountValue : null;
  const [inserted] = await db()("promotions")
    .insert({
      code: generateCodes(1, randomBytes)[0],
      name: "Summer",
      discount_type: discountType,
      discount_value: discountValue,
      is_single_use: false,
      is_renewable: false,
      max_uses: row.is_single_use ? 1 : freeDrinks,
      deleted_at: row.is_deleted ? new Date() : null,
      has_own_expiration: Boolean(row.mass_generation_id && row.expires_at),
      ...(has_own_set === false && {
        set_id: await setIdOf("mass_generations", String(row.mass_generation_id)),
      }),
      ...row,
    })
    .returning<{ id: string; set_id: string }[]>(["id", "set_id"]);
  if (row.mass_generation_id && has_own_set !== false)
    await rowById("assignment_sets", inserted!.set_id).update({
      copied_from: await setIdOf("mass_generations", String(row.mass_generation_id)),
    });
  if (is_assigned !== undefined && has_own_set !== false)
    await rowById("assignment_sets", inserted!.set_id).update({ is_assigned });
  return inserted!.id;
}

/** Makes what the form makes of a name and a discount; say only what matters to the test. */
export function newPromotion(values: Partial<NewPromotion> = {}): NewPromotion {
  const fields = { promotionName: "Summer", discount_type: "percentage", discount: "25" };
  return { ...withParsedTerms(parseFields(singleFormSchema("2000-01-01"), fields)), ...values };
}

/** A row of `mass_generations`, without its codes; say only what matters to the test. */
export async function insertGeneration({
  is_assigned,
  ...row
}: Record<string, unknown> = {}): Promise<string> {
  const [inserted] = await db()("mass_generations")
    .insert({
      name: "Festival",
      num_codes: 1,
      discount_type: "percentage",
      discount_value: 25,
      is_single_use: false,
      is_renewable: false,
      deleted_at: row.is_deleted ? new Date() : null,
      ...row,
    })
    .returning<{ id: string; set_id: string }[]>(["id", "set_id"]);
  if (is_assigned) await rowById("assignment_sets", inserted!.set_id).update({ is_assigned });
  return inserted!.id;
}

/** Codes of a generation as they would be after generating; returns their ids in order. */
export async function insertCodes(
  generationId: string,
  count: number,
  row: Record<string, unknown> = {},
): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made++)
    ids.push(
      await insertPromotion({ mass_generation_id: generationId, has_own_set: false, ...row }),
    );
  return ids;
}

/** Inserts many single promotions in one statement, whose codes no other batch has. */
export async function insertMany(rows: number, batch = "first", name = "Many"): Promise<void> {
  await db().raw(
    `insert into promotions (code, name, discount_type, discount_value, is_single_use, is_renewable)
     select translate(upper(substr(md5(:batch || n), 1, 12)), '01', 'XY'), :name,
       'percentage', 10, false, false
     from generate_series(1, cast(:rows as integer)) n`,
    { batch, name, rows },
  );
}
