import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sharedFormValues } from "../../../tests/factories/forms";
import { parseFields, readFields } from "../../forms/form-validator";
import { singleFormSchema } from "../promotions/form/promotion-forms";
import { massFormSchema } from "./mass-generation-forms";
import { anyText, property } from "../../../tests/support/property";

const bounds = { today: "2026-11-21", maxCodes: 100_000 };
const valid = {
  name: "Festival",
  num_codes: "30",
  discount_value: "25",
  ...sharedFormValues,
};

const read = (fields: object, { maxCodes = bounds.maxCodes } = {}) =>
  readFields(massFormSchema({ ...bounds, maxCodes }), fields);
const errors = (values: object) => read({ ...valid, ...values }).errors ?? {};

test("a valid form has no errors", () => {
  expect(errors({})).toEqual({});
});

describe("the number of codes", () => {
  const atLeast = "Number of codes must be at least 1";
  const atMost = "Number of codes cannot exceed 100,000";
  const whole = "Number of codes must be a whole number";
  test.each([
    ["1", undefined],
    ["100000", undefined],
    [" 30 ", undefined],
    ["", atLeast],
    ["0", atLeast],
    ["-5", atLeast],
    ["100001", atMost],
    ["9".repeat(400), atMost],
    ["1.5", whole],
    ["1,000", whole],
    ["1e3", whole],
    ["5 codes", whole],
    ["１２", whole],
  ])("%j: %s", (num_codes, sentence) => {
    expect(errors({ num_codes })).toEqual(sentence ? { num_codes: sentence } : {});
  });

  test("has the bound that the installation sets", () => {
    const values = { ...valid, num_codes: "2500" };
    expect(read(values, { maxCodes: 2_499 }).errors).toEqual({
      num_codes: "Number of codes cannot exceed 2,499",
    });
    expect(read(values, { maxCodes: 2_500 }).errors).toBeUndefined();
  });

  property([anyText()])("is never guessed", (num_codes) => {
    const { data, errors } = read({ ...posted, num_codes });
    if (data) expect(String(data.numCodes)).toBe(num_codes.trim().replace(/^0+/, ""));
    else expect(Object.keys(errors)).toEqual(["num_codes"]);
  });
});

const posted = { ...valid, is_single_use: undefined, is_renewable: undefined };

const sharedValues = fc.record({
  name: fc.oneof(anyText(), fc.constantFrom("", "a".repeat(201), "a\0")),
  discount: fc.oneof(fc.string(), fc.integer().map(String), fc.constantFrom("", "1", "100", "101")),
  discount_type: fc.constantFrom("percentage", "free_drink", "cash"),
  is_single_use: fc.boolean(),
  is_renewable: fc.boolean(),
  expiration_date: fc.constantFrom("", "31/12/2026", "20/11/2026", "31/02/2027", "1.1.27", "soon"),
  machines: fc.array(fc.constantFrom("SN-1", "SN-2", "\0")),
  groups: fc.array(fc.constantFrom("1", "2", "0", "x")),
});

property([sharedValues])("everything else follows the rules of the single form", (values) => {
  const { name, discount, ...same } = values;
  const { errors: single = {} } = readFields(singleFormSchema(bounds.today), {
    ...same,
    promotionName: name,
    discount,
  });
  const found = errors({ ...same, name, discount_value: discount });
  expect(Object.values(found)).toEqual(Object.values(single));
  expect(Object.keys(found)).toEqual(
    Object.keys(single).map(
      (field) => ({ promotionName: "name", discount: "discount_value" })[field] ?? field,
    ),
  );
});

describe("a posted form", () => {
  test("becomes what the single form makes of the same values, and their number", () => {
    const fields = { ...posted, is_single_use: "true", machines: ["b", "a", "b"] };
    const { name: promotionName, discount_value: discount, ...same } = fields;
    const single = parseFields(singleFormSchema(bounds.today), {
      promotionName,
      discount,
      ...same,
    });
    expect(read({ ...fields, idempotency_key: "k" }).data).toEqual({ ...single, numCodes: 30 });
  });

  test("that is empty names every field that is needed, in the order of the form", () => {
    expect(Object.entries(read({}).errors!)).toEqual([
      ["name", "Name is required"],
      ["num_codes", "Number of codes must be at least 1"],
      ["discount_value", "Percentage must be at least 1%"],
      ["discount_type", "Choose a percentage or free drinks"],
    ]);
  });
});
