import { expect, it, vi } from "vitest";
import { formFields } from "./form-fields.server";

function formOf(names: number): FormData {
  const form = new FormData();
  for (let index = 0; index < names; index += 1) form.append(`n${index}`, "x");
  return form;
}

it("lists the values of a name that was sent more than once, and leaves secrets out", () => {
  const form = formOf(1);
  for (const value of ["1", "2", "3"]) form.append("machines", value);
  form.append("password", "secret");
  const { repopulateFields } = formFields({}, form, ["password"]);
  expect(repopulateFields).toEqual({ n0: "x", machines: ["1", "2", "3"] });
});

it("searches a form for none of its names, however many they are", () => {
  const form = formOf(100);
  const searches = [vi.spyOn(form, "get"), vi.spyOn(form, "getAll")];
  expect(Object.keys(formFields({}, form).repopulateFields)).toHaveLength(100);
  for (const search of searches) expect(search).not.toHaveBeenCalled();
});
