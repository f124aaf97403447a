/** Encodes a form with files as a browser does. */
export async function encodeForm(form: FormData) {
  const request = new Request("http://localhost", { method: "POST", body: form });
  const type = request.headers.get("Content-Type")!;
  return { headers: { "Content-Type": type }, body: Buffer.from(await request.arrayBuffer()) };
}
