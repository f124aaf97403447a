import { describe, expect, test } from "vitest";
import {
  filtersToParams,
  noFilters,
  parsePromotionApiList,
  parsePromotionFilters,
  promotionList,
} from "../../app/features/promotions/list/promotion-filters";
import { filterNames } from "../../app/lists/list";
import { useDatabase } from "../support/postgres";

useDatabase();

describe("the URL", () => {
  const read = (text: string) => parsePromotionFilters(new URLSearchParams(text), { role: "user" });

  test("is read, and written the same", () => {
    const text =
      "created=30d&created_after=01%2F11%2F2026&created_before=30%2F11%2F2026&serial_number=VM-1&controller=Lobby&text=50%25&type=mass&status=used_up&is_used=true&is_reusable=false&is_expired=false&is_indefinite=true&mass_generation_id=7&include_deleted=true";
    const { filters, errors } = read(text);
    expect(errors).toEqual({});
    expect(filters).toMatchObject({ createdAfter: "2026-11-01", deleted: "with", text: "50%" });
    expect(new URLSearchParams(filtersToParams(filters)).toString()).toBe(text);
  });

  test("dates may also be YYYY-MM-DD", () => {
    expect(read("created_after=2026-11-01").filters.createdAfter).toBe("2026-11-01");
  });

  test("without parameters lets all through that is not deleted", () => {
    expect(read("text=&status=&created_after=")).toEqual({ filters: noFilters, errors: {} });
  });

  test.each([
    "created=1d",
    "created_after=31%2F02%2F2026",
    "created_before=tomorrow",
    "type=all",
    "status=gone",
    "is_used=yes",
    "is_expired=1",
    "mass_generation_id=x",
    "deleted=maybe",
    "text=%00",
    `text=${"x".repeat(201)}`,
    "created=constructor",
    "include_deleted=2",
  ])("%s falls back, says so, and is refused by the API", (text) => {
    const name = text.slice(0, text.indexOf("="));
    const { filters, errors } = read(text);
    expect(filters).toEqual(noFilters);
    expect(Object.keys(errors)).toEqual([name]);
    const ofApi = parsePromotionApiList(new URLSearchParams(text), { role: "user" });
    expect(ofApi.errors).toHaveProperty(name);
    expect(filterNames(promotionList.filters)).toContain(name);
  });

  test("each date is bounded by the other", () => {
    const { filters, errors } = read("created_after=10%2F11%2F2026&created_before=09%2F11%2F2026");
    expect(filters).toMatchObject({ createdAfter: "2026-11-10", createdBefore: null });
    expect(errors).toEqual({
      created_before: "Created Before cannot be earlier than Created After, 10.11.2026",
    });
  });

  test("names parameters and their format to callers of the API", () => {
    const params = new URLSearchParams("created_after=2026-11-10&created_before=2026-11-09");
    expect(parsePromotionApiList(params, { role: "user" }).errors).toEqual({
      created_before: "'created_before' cannot be earlier than 'created_after', 2026-11-10",
    });
  });

  test("takes an empty parameter of the API for none", () => {
    const empty = new URLSearchParams(["page", "count", "text"].map((name) => [name, ""]));
    expect(parsePromotionApiList(empty, { role: "user" }).errors).toEqual({});
  });
});
