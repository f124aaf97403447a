import { expect, it } from "vitest";
import { savingsPercent, type Transaction, toApiTransaction } from "./transaction";

it("counts savings in whole percent of what was saved, half up", () => {
  expect(savingsPercent(0, 0)).toBe(0);
  expect(savingsPercent(0, 199)).toBe(0);
  expect(savingsPercent(199, 199)).toBe(100);
  expect(savingsPercent(1, 200)).toBe(1);
  expect(savingsPercent(1, 201)).toBe(0);
  expect(savingsPercent(25, 1_000)).toBe(3);
  expect(savingsPercent(999_999, 1_000_000)).toBe(100);
});

it("is sent with the machine's serial number and the words of the product", () => {
  const transaction: Transaction = {
    id: "17",
    redemptionId: "r-1",
    machine: { serialNumber: "VM-1", humanName: "Lobby" },
    promotion: { id: "3", name: "Summer", code: "ABCDEFGHJKMN" },
    originalPrice: 200,
    discount: 50,
    discountedPrice: 150,
    savings: 25,
    occurredAt: new Date("2026-11-21T10:00:00.123Z"),
    status: "applied",
    type: "percentage",
  };
  expect(toApiTransaction(transaction)).toEqual({
    id: 17,
    machine: "VM-1",
    originalPrice: 200,
    discount: 50,
    discountedPrice: 150,
    savings: 25,
    timestamp: "2026-11-21T10:00:00.123Z",
    status: "Applied",
    type: "percentage",
  });
  expect(toApiTransaction({ ...transaction, status: "rolled_back" }).status).toBe("Rolled back");
});
