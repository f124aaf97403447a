/** Posts fields as a document does, from which the answer is a page. */
export function postAsDocument({
  formAction = location.href,
  formEncType = "application/x-www-form-urlencoded",
  formData,
}: {
  formAction?: string;
  formEncType?: string;
  formData?: FormData;
}): void {
  const form = document.createElement("form");
  Object.assign(form, { method: "post", action: formAction, enctype: formEncType, hidden: true });
  for (const [name, value] of formData ?? []) form.append(fieldOf(name, value));
  document.body.append(form);
  form.submit();
}

function fieldOf(name: string, value: FormDataEntryValue): HTMLInputElement {
  const input = document.createElement("input");
  input.name = name;
  if (typeof value === "string") {
    input.type = "hidden";
    input.value = value;
  } else {
    const files = new DataTransfer();
    if (value.name) files.items.add(value);
    input.type = "file";
    input.files = files.files;
  }
  return input;
}
