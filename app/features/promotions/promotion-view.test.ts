import { expect, test } from "vitest";
import type { Promotion } from "./promotion";
import { describeDiscount, statusReason } from "./promotion-view";

const timeZone = "Europe/Berlin";
const assigned = {
  machines: [{ isDeleted: true }, { isDeleted: false }],
  groups: [],
  effective: { count: 1, directCount: 1 },
  isGenerationActive: true,
};
const promotion = (values: Partial<Promotion>) =>
  ({ expiresAt: null, renewsAt: null, massGenerationId: null, ...values }) as Promotion;

test.each<[Partial<Promotion>, string]>([
  [{ status: "deleted" }, "This code is deleted. Machines refuse it; an admin can restore it."],
  [
    { status: "deleted", massGenerationId: "7" },
    "This code is deleted with its campaign. Machines refuse it; an admin can restore it.",
  ],
  [
    { status: "inactive" },
    "This code was deactivated. Machines refuse it; an admin can reactivate it.",
  ],
  [
    { status: "expired", expiresAt: new Date("2020-12-31T23:00:00Z") },
    "This code was valid until 31.12.2020 23:59 (Europe/Berlin). Machines refuse it.",
  ],
  [{ status: "used_up" }, "All its uses are gone. Machines refuse it."],
  [
    { status: "used_up", renewsAt: new Date("2026-11-30T23:00:00Z") },
    "All uses of this month are used up. This code renews on 01.12.2026.",
  ],
  [{ status: "not_assigned" }, "No machine is assigned, so no machine accepts it."],
  [{ status: "active" }, "Redeemable at 1 machine."],
])("%o", (values, sentence) => {
  expect(statusReason(promotion(values), assigned, timeZone)).toBe(sentence);
});

test.each<[Partial<Promotion>, string]>([
  [{ status: "deleted" }, "Restore it to use it again."],
  [{ status: "inactive" }, "Reactivate it to use it again."],
  [{ status: "expired", expiresAt: new Date() }, "Edit the expiration to use it again."],
  [{ status: "used_up" }, "Duplicate it for a new code."],
])("%o ends with what to press for those who may", (values, remedy) => {
  const [admin, other] = [true, false].map((may) =>
    statusReason(promotion(values), assigned, timeZone, { isAdmin: may, canReactivate: may }),
  );
  expect(admin).toMatch(new RegExp(`Machines refuse it\\. ${remedy}$`));
  if (["deleted", "inactive"].includes(values.status!)) expect(other).toContain("; an admin can ");
  else expect(other).toBe(admin);
});

test("a code that is inactive with its mass generation says so", () => {
  const code = promotion({ status: "inactive", massGenerationId: "7" });
  expect(statusReason(code, { ...assigned, isGenerationActive: false }, timeZone)).toBe(
    "The campaign of this code was deactivated. Machines refuse its codes until an admin reactivates it.",
  );
});

test("machines that are all deleted accept nothing, whatever the status says", () => {
  const gone = { ...assigned, machines: [{ isDeleted: true }] };
  expect(statusReason(promotion({ status: "active" }), gone, timeZone)).toBe(
    "All assigned machines are marked as deleted, so no machine accepts it.",
  );
});

test("a discount says what the code gives, and how often", () => {
  const textOf = (discountType: Promotion["discountType"], isRenewable: boolean) =>
    describeDiscount({ discountType, discountValue: 5, isRenewable });
  expect(textOf("percentage", true)).toBe("5% off");
  expect(textOf("free_drink", false)).toBe("5 free drinks");
  expect(textOf("free_drink", true)).toBe("5 free drinks a month");
});

test("a group counts by its machines", () => {
  const active = promotion({ status: "active" });
  const reason = (machines: { isDeleted: boolean }[], ...machineCounts: number[]) => {
    const groups = machineCounts.map((machineCount) => ({ machineCount }));
    return statusReason(active, { ...assigned, machines, groups }, timeZone);
  };
  const gone = { isDeleted: true };
  expect(reason([gone], 0, 1)).toBe("Redeemable at 1 machine: 1 directly, 0 through 2 groups.");
  expect(reason([], 0)).toBe("The assigned group has no machines, so no machine accepts it.");
  expect(reason([gone], 0, 0)).toBe(
    "All assigned machines are marked as deleted and the assigned groups have no machines, so no machine accepts it.",
  );
});
