import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sharedFormValues } from "../../../../tests/factories/forms";
import { parseFields, readFields } from "../../../forms/form-validator";
import { singleFormSchema } from "./promotion-forms";
import { parseBody } from "../../../http/api-body.server";
import { createPromotionBody } from "../promotion-api";
import { property } from "../../../../tests/support/property";

const read = (posted: object) => readFields(singleFormSchema(today), posted);
const parse = (value: unknown) =>
  parseFields(singleFormSchema(today), parseBody(value, createPromotionBody));

const today = "2026-11-21";
const valid = {
  promotionName: "Summer",
  discount: "25",
  ...sharedFormValues,
};

function errors(values: object): Record<string, string | undefined> {
  return read({ ...valid, ...values }).errors ?? {};
}

test("a valid form has no errors", () => {
  expect(errors({})).toEqual({});
});

test.each([
  ["", "Name is required"],
  ["  \t ", "Name is required"],
  ["a".repeat(201), "Name cannot exceed 200 characters"],
  ["a\0b", "Name contains characters that cannot be stored"],
  ["a\ud83c", "Name contains characters that cannot be stored"],
])("the name %j: %s", (promotionName, sentence) => {
  expect(errors({ promotionName })).toEqual({ promotionName: sentence });
});

describe("the discount", () => {
  const atLeast = "Percentage must be at least 1%";
  const atMost = "Percentage cannot exceed 100%";
  const whole = "Percentage must be a whole number";
  test.each([
    ["1", undefined],
    ["100", undefined],
    ["007", undefined],
    ["", atLeast],
    ["0", atLeast],
    ["00", atLeast],
    ["-5", atLeast],
    ["101", atMost],
    ["9".repeat(400), atMost],
    ["1.5", whole],
    ["1e1", whole],
    ["0x10", whole],
    ["10%", whole],
    ["١٢", whole],
    ["１２", whole],
    ["NaN", whole],
    ["1 0", whole],
  ])("%j percent: %s", (discount, sentence) => {
    expect(errors({ discount }).discount).toBe(sentence);
  });

  const drinks = { discount_type: "free_drink" };
  test.each([
    ["1", undefined],
    ["1000", undefined],
    ["0", "Number of free drinks must be at least 1"],
    ["", "Number of free drinks must be at least 1"],
    ["1001", "Number of free drinks cannot exceed 1,000"],
    ["2.5", "Number of free drinks must be a whole number"],
  ])("%j drinks: %s", (discount, sentence) => {
    expect(errors({ ...drinks, discount }).discount).toBe(sentence);
  });

  test.each([
    ["1", undefined],
    ["", undefined],
    ["2", "Number of free drinks must be 1 for single use"],
    ["0", "Number of free drinks must be 1 for single use"],
    ["x", "Number of free drinks must be 1 for single use"],
  ])("%j drinks for single use: %s", (discount, sentence) => {
    expect(errors({ ...drinks, discount, is_single_use: true }).discount).toBe(sentence);
  });

  test("rejects an unknown type of discount", () => {
    expect(errors({ discount_type: "cash" }).discount_type).toBe(
      "Choose a percentage or free drinks",
    );
  });
});

test("the expiration", () => {
  expect(errors({ expiration_date: "31/02/2027" }).expiration_date).toMatch(/^Invalid date/);
  expect(errors({ expiration_date: "20/11/2026" }).expiration_date).toBe(
    "Date cannot be in the past",
  );
  expect(errors({ expiration_date: "21/11/2026" }).expiration_date).toBeUndefined();
  expect(errors({ expiration_date: "" }).expiration_date).toBeUndefined();
  expect(errors({ expiration_date: "rubbish", is_renewable: true })).toEqual({});
});

// Forty fields of 1 MB: an expression that backtracks takes half an hour for them, any other one a moment.
test("very long values are judged within the time of a test", () => {
  const long = ["0", "9", " ", "-", "/", "1/", "a", "\ud800", "🍹", "\0"].map((part) =>
    part.repeat(1_000_000 / part.length),
  );
  for (const text of long) {
    expect(errors({ promotionName: text })).toHaveProperty("promotionName");
    errors({ discount: text, expiration_date: text, machines: [text] });
  }
});

describe("a posted form", () => {
  test("becomes what is to be created", () => {
    const posted = {
      ...valid,
      is_single_use: "on",
      is_renewable: undefined,
      machines: "SN-1",
      groups: ["12", "3", "12"],
      starts_at: "24/12/2026 8:00",
      hours_days: "0-1",
      hours_from: ["8", ""],
      uses: "500",
      money: "12,50",
      idempotency_key: "k",
    };
    expect(read(posted).data).toEqual({
      name: "Summer",
      discountType: "percentage",
      discountValue: 25,
      isSingleUse: true,
      isRenewable: false,
      expirationDate: "2026-12-31",
      machines: ["SN-1"],
      groups: ["12", "3"],
      starts_at: "24/12/2026 8:00",
      hours_days: ["0-1"],
      hours_from: ["8", ""],
      hours_to: [],
      closed_on: "",
      code_prefix: "",
      code_length: "",
      uses: "500",
      usesPerDay: "",
      usesPerMachineAndDay: "",
      money: "12,50",
      lowestPrice: "",
      highestDiscount: "",
    });
  });

  test("renewable clears the date, single free drinks are one", () => {
    const posted = {
      promotionName: "x",
      discount_type: "free_drink",
      discount: "",
      is_single_use: "on",
      is_renewable: "on",
      expiration_date: "31/12/2026",
      machines: ["a", "b", "a"],
    };
    expect(read(posted).data).toMatchObject({
      discountValue: 1,
      isRenewable: true,
      expirationDate: null,
      machines: ["a", "b"],
    });
  });

  test("that is empty names every field that is needed", () => {
    expect(Object.entries(read({}).errors!)).toEqual([
      ["promotionName", "Name is required"],
      ["discount", "Percentage must be at least 1%"],
      ["discount_type", "Choose a percentage or free drinks"],
    ]);
  });

  property([fc.dictionary(fc.constantFrom(...Object.keys(valid), "x"), fc.anything())])(
    "of any shape is refused or accepted, never thrown at",
    (posted) => {
      const { data, errors } = read(posted);
      expect(data === undefined).toBe(errors !== undefined);
    },
  );
});

test.each([
  [["1", "9223372036854775807"], undefined],
  [["0"], "A group is not valid"],
  [["1", "x"], "A group is not valid"],
  [Array.from({ length: 500 }, (_, index) => `${index + 1}`), undefined],
  [
    Array.from({ length: 501 }, (_, index) => `${index + 1}`),
    "No more than 500 groups can be chosen",
  ],
])("groups %j: %s", (groups, sentence) => {
  expect(errors({ groups }).groups).toBe(sentence);
});

describe("the body of create_promotion", () => {
  const body = {
    promotionName: "Summer",
    discount: 25,
    discount_type: "percentage",
    is_single_use: false,
    is_renewable: false,
    expiration_date: "2026-12-31T23:59:59",
    machines: ["SN-1"],
  };

  function fieldsOf(value: unknown): Record<string, string> {
    try {
      parse(value);
      return {};
    } catch (error) {
      return (error as { fields: Record<string, string> }).fields;
    }
  }

  test("is read", () => {
    expect(parse(body)).toMatchObject({
      name: "Summer",
      discountValue: 25,
      expirationDate: "2026-12-31",
      machines: ["SN-1"],
    });
    expect(parse({ ...body, expiration_date: null }).expirationDate).toBeNull();
  });

  test.each([
    [{ discount: "25" }, { discount: "Discount must be a whole number" }],
    [{ discount: 1.5 }, { discount: "Percentage must be a whole number" }],
    [{ discount: 0 }, { discount: "Percentage must be at least 1%" }],
    [{ discount: -3 }, { discount: "Percentage must be at least 1%" }],
    [{ discount: 1e21 }, { discount: "Percentage must be a whole number" }],
    [{ discount: null }, { discount: "Percentage must be at least 1%" }],
    [{ promotionName: 5 }, { promotionName: "Name must be text" }],
    [
      { expiration_date: "31/12/2026" },
      { expiration_date: "Invalid date. Send it as YYYY-MM-DDT23:59:59" },
    ],
    [{ expiration_date: "2026-11-20T23:59:59" }, { expiration_date: "Date cannot be in the past" }],
    [{ is_single_use: "yes" }, { is_single_use: "is_single_use must be true or false" }],
    [{ machines: "SN-1" }, { machines: "Machines must be a list of serial numbers" }],
    [{ machines: [1] }, { machines: "Machines must be a list of serial numbers" }],
    [{ is_single_used: true }, { is_single_used: "This field is not known" }],
  ])("with %j is refused", (change, fields) => {
    expect(fieldsOf({ ...body, ...change })).toEqual(fields);
  });

  test.each([[null], [[]], ["text"], [1]])("%j is refused", (value) => {
    expect(fieldsOf(value)).toEqual({ body: "The body must be a JSON object" });
  });
});
