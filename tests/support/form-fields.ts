type FormFields = [string, string][];

/** Valid fields that the forms of one promotion and of many share. */
export const sharedFields: FormFields = [
  ["discount_type", "percentage"],
  ["expiration_date", "31/12/2099"],
  ["machines", "VM-1"],
  ["machines", "VM-2"],
];

/** Changes that both forms refuse, and their messages. */
export const sharedRefusals: [why: string, changes: Record<string, string>, message: string][] = [
  ["the past", { expiration_date: "31/12/1999" }, "Date cannot be in the past"],
  ["a deleted machine", { machines: "VM-3" }, "Not available: VM-3. Nothing was created."],
];

/**
 * Makes forms like one that is filled, as its button `create` sends them: with some fields
 * changed, and without those whose change is undefined.
 */
export function formsLike(filled: FormFields) {
  return (changes: Record<string, string | undefined> = {}): FormFields => {
    const unchanged = filled.filter(([name]) => !(name in changes));
    const changed = Object.entries(changes).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    return [...unchanged, ...changed, ["intent", "create"]];
  };
}
