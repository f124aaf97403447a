import { describe, expect, test } from "vitest";
import { DomainError } from "../errors";
import { addMachinesBody } from "../features/machines/machines.server";
import { createPromotionBody } from "../features/promotions/promotion-api";
import type { AnyOperation } from "./api.server";
import { readBody } from "./api-body.server";

const post = (body: string | Uint8Array<ArrayBuffer>) =>
  new Request("http://localhost/", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body,
  });

/** Reads a body as an operation with this schema does. */
const read = (schema: unknown, body: Parameters<typeof post>[0]) =>
  readBody({ body: schema } as AnyOperation, post(body));

const list = (count: number, item: string) => `[${Array<string>(count).fill(item).join(",")}]`;

describe("a JSON body", () => {
  test("is refused in another encoding than UTF-8, and may have a byte order mark", async () => {
    const name = '{"promotionName":"Café","discount":5,"discount_type":"percentage"}';
    const latin1 = new Uint8Array(Buffer.from(name, "latin1"));
    await expect(read(createPromotionBody, latin1)).rejects.toMatchObject({ status: 400 });
    const body = await read(createPromotionBody, `\ufeff${name}`);
    expect(body).toMatchObject({ promotionName: "Café" });
  });

  test.each([
    '{"__proto__":{"machines":[]}}',
    '{"__proto__":1}',
    '{"constructor":1}',
    '{"toString":1}',
  ])("is refused for the name of what objects inherit: %s", async (body) => {
    const error: unknown = await read(createPromotionBody, body).catch((cause: unknown) => cause);
    const [name] = Object.keys(JSON.parse(body) as object);
    expect(Object.entries((error as DomainError).fields)).toContainEqual([
      name,
      "This field is not known",
    ]);
  });

  test.each([
    ["machines that are numbers", addMachinesBody, `{"machines":${list(120_000, "0")}}`],
    ["machines without a serial number", addMachinesBody, `{"machines":${list(60_000, "{}")}}`],
    ["machines of a new code", createPromotionBody, `{"machines":${list(120_000, "0")}}`],
    [
      "days in hours",
      createPromotionBody,
      `{"schedule":{"hours":[{"days":${list(120_000, "0")}}]}}`,
    ],
    [
      "lists within lists",
      addMachinesBody,
      `{"machines":${"[".repeat(60_000)}${"]".repeat(60_000)}}`,
    ],
    [
      "fields that aren't known",
      addMachinesBody,
      JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`x${at}`, 0]))),
    ],
  ])("is refused with 413 for thousands of %s", async (_what, schema, body) => {
    const refusal: unknown = await read(schema, body).catch((cause: unknown) => cause);
    expect(refusal).toBeInstanceOf(Response);
    expect((refusal as Response).status).toBe(413);
  });

  test("is told which field is wrong, whatever the number of machines that a call takes", async () => {
    const refusal = read(addMachinesBody, `{"machines":${list(5_000, "0")}}`);
    await expect(refusal).rejects.toThrow(DomainError);
  });

  test("may have 2,000 machines with names", async () => {
    const machines = Array.from({ length: 2_000 }, (_, at) => ({
      serialNumber: String(1_000_000 + at),
      humanName: `Building ${at}, floor 2, room 3, by the stairs`,
    }));
    await expect(read(addMachinesBody, JSON.stringify({ machines }))).resolves.toEqual({
      machines,
    });
  });
});
