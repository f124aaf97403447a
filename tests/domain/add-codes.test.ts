import { buffer } from "node:stream/consumers";
import { beforeEach, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { parseLabelOptions } from "../../app/features/labels/label-options";
import { countLabelCodes, getLabelSource } from "../../app/features/labels/label-source.server";
import { addCodes, listAddedCodes } from "../../app/features/mass-generations/add-codes.server";
import { createMassGeneration } from "../../app/features/mass-generations/create-mass-generation.server";
import { copyMassGeneration } from "../../app/features/mass-generations/mass-generation.server";
import { generationArchive } from "../../app/features/mass-generations/generation-archive.server";
import { redeem } from "../../app/features/redemptions/redeem.server";
import { checkSummary } from "../../app/features/reports/check-summary.server";
import { assign } from "../factories/assignments";
import { codesOf, insertMassGeneration } from "../factories/mass-generations";
import { insertMachine } from "../factories/people-and-machines";
import { newPromotion } from "../factories/promotions";
import { makeKey, outcomeOf, request } from "../factories/redemptions";
import { useActor } from "../support/actor";
import { assertInvariants } from "../support/invariants";
import { useDatabase } from "../support/postgres";
import { readZip } from "../support/read-zip";
import { changeSettings } from "../factories/settings";

/** Codes that are added to a mass generation. */
useDatabase();
const { actor } = useActor(beforeEach);
const options = () => ({ actor, idempotencyKey: null as string | null });

const rowOf = (id: string) => db()("mass_generations").where({ id }).first();

async function namesIn(id: string, addedId: string | null) {
  const archive = await generationArchive(id, addedId);
  const { entries } = await readZip(await buffer(archive.bytes()));
  const names = entries.map(({ fileName }) => fileName.replace(".png", ""));
  return { fileName: archive.fileName, names: names.filter((name) => name !== "codes.csv") };
}

it("have the terms and machines that the campaign has by then, in one action", async () => {
  const created = { ...newPromotion({ name: "Fair", isSingleUse: true }), numCodes: 3 };
  const { id } = await createMassGeneration(created, options());
  const machine = await insertMachine();
  await assign("mass_generations", id, { machine_id: machine.id });
  await db()("mass_generations").where({ id }).update({ name: "Autumn fair" });
  await db()("promotions").where({ mass_generation_id: id }).update({ name: "Autumn fair" });
  const once = { ...options(), idempotencyKey: "add-once" };
  await addCodes(id, 2, once);
  expect(await addCodes(id, 2, once)).toEqual({ id, wasReplayed: true });

  expect(
    await db()("recorded_events").where({ type: "campaign.codes_added" }).select("subject", "data"),
  ).toEqual([
    {
      subject: `mass_generation:${id}`,
      data: {
        campaign: expect.objectContaining({ type: "mass", name: "Autumn fair", num_codes: 5 }),
        added: { first_number: 4, num_codes: 2 },
      },
    },
  ]);
  expect(await rowOf(id)).toMatchObject({ num_codes: 5, version: 2, code_lengths: null });
  const [last] = (await codesOf(id)).slice(-1);
  const code = await db()("promotions").where({ id: last }).first();
  expect(code).toMatchObject({ name: "Autumn fair", max_uses: 1, is_active: true });
  const { secret } = await makeKey();
  const answer = await redeem(
    request({ code: code.code as string, serialNumber: machine.serial_number }),
    secret,
  );
  expect(outcomeOf(answer)).toBe("applied");
  expect(
    await db()("audit_log").where({ action: "mass_generation.codes_added" }).select("covered"),
  ).toEqual([{ covered: 2 }]);
  expect(await checkSummary()).toEqual([]);
  await assertInvariants();
});

it("have an archive and labels of their own", async () => {
  const id = await insertMassGeneration({ num_codes: 3 });
  await addCodes(id, 2, options());
  await addCodes(id, 4, options());
  const [newer, older] = await listAddedCodes(db(), id);
  expect([older, newer]).toMatchObject([
    { from: 4, to: 5 },
    { from: 6, to: 9 },
  ]);
  const all = await namesIn(id, null);
  expect(all.names).toHaveLength(9);
  const some = await namesIn(id, older!.id);
  expect(some).toEqual({ fileName: `mass_generation_${id}_4-5.zip`, names: all.names.slice(3, 5) });
  await expect(generationArchive(id, "999999")).rejects.toMatchObject({ reason: "not_found" });

  const source = await getLabelSource({ generationId: id });
  const labels = (query: string) =>
    parseLabelOptions(new URLSearchParams(query), source.numCodes, source.added);
  const { options: chosen } = labels(`codes=all&added=${newer!.id}`);
  expect(chosen.codes).toEqual({ from: 6, to: 9 });
  const [counted] = await countLabelCodes(source, chosen.codes);
  expect(counted!.codes).toBe(4);
  expect(labels(`added=${newer!.id}&from_code=5`).errors).toEqual({
    from_code: "The first code must be a whole number from 6 to 9",
  });
  expect(labels("added=999999").errors.added).toBe("Choose all codes or those that were added");
});

it("are younger than the campaign, whose own codes are as old as it", async () => {
  const { id } = await createMassGeneration({ ...newPromotion(), numCodes: 2 }, options());
  await addCodes(id, 1, options());
  const { rows } = await db().raw<{ rows: object[] }>(
    `select p.created_at > g.created_at as is_younger, p.created_at < g.created_at as is_older
     from promotions p join mass_generations g on g.id = p.mass_generation_id
     where g.id = :id order by p.created_at`,
    { id },
  );
  const asOld = { is_younger: false, is_older: false };
  expect(rows).toEqual([asOld, asOld, { is_younger: true, is_older: false }]);
});

it("have the pattern of the campaign, and follow imported codes in the archive", async () => {
  const codePattern = { prefix: "FAIR0", length: 16 };
  const { id } = await createMassGeneration(
    { ...newPromotion({ codePattern }), numCodes: 2 },
    options(),
  );
  await addCodes(id, 3, options());
  expect(await rowOf(id)).toMatchObject({ code_lengths: [[16, 5]] });
  const { names } = await namesIn(id, (await listAddedCodes(db(), id))[0]!.id);
  expect(names.map((name) => name.replace(/^FAIR0.{11}$/, "ok"))).toEqual(["ok", "ok", "ok"]);
  expect((await copyMassGeneration(id))!.values).toMatchObject({
    code_prefix: "FAIR0",
    code_length: "16",
    num_codes: "5",
  });

  await db()("mass_generations").where({ id }).update({ code_prefix: null, code_length: null });
  await addCodes(id, 1, options());
  await addCodes(id, 2, options());
  expect(await rowOf(id)).toMatchObject({
    code_lengths: [
      [16, 5],
      [12, 3],
    ],
  });
  const added = await namesIn(id, (await listAddedCodes(db(), id))[0]!.id);
  expect(added.names.map((name) => name.length)).toEqual([12, 12]);
});

it("are refused for campaigns that are deleted, have ended or are full", async () => {
  const refusal = (row: object, count = 1) =>
    insertMassGeneration({ num_codes: 3, ...row })
      .then((id) => addCodes(id, count, options()))
      .catch((cause: Error) => cause.message);
  expect(await refusal({ is_deleted: true })).toContain("This campaign is deleted");
  expect(await refusal({ expires_at: "2020-01-01" })).toContain("This campaign has ended");
  await changeSettings({ max_codes: 5 });
  expect(await refusal({}, 3)).toContain("Number of codes cannot exceed 2");
  expect(await refusal({ num_codes: 5 })).toContain("Duplicate it instead");
  await changeSettings({ max_codes: null });
});

it("wait for a second admin above the limit, which counts them for who adds them", async () => {
  await changeSettings({ approval_codes: 3 });
  const other = await insertMassGeneration({ num_codes: 50 });
  await addCodes(other, 2, options());
  await expect(addCodes(other, 2, options())).rejects.toMatchObject({ name: "HeldForApproval" });
  expect(await rowOf(other)).toMatchObject({ num_codes: 52 });
  await addCodes(other, 1, options());
  await changeSettings({ approval_codes: null });
});
