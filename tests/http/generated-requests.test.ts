import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { openApiDocument } from "../../app/http/openapi.server";
import { insertGroup } from "../factories/machine-groups";
import { insertLobbyCanteenAndCellar, insertMachine } from "../factories/people-and-machines";
import { insertPromotion } from "../factories/promotions";
import { makeKey } from "../factories/redemptions";
import * as images from "../factories/images";
import {
  requestsOf,
  type DocumentedCall,
  type GeneratedRequest,
} from "../support/generated-requests";
import { isSoak, repetitions } from "../support/repetitions";
import { addUser, useServer, type Answer } from "../support/server";

const server = useServer({ environment: { TRUST_PROXY: "1" } });
const seed = isSoak ? Date.now() % 1_000_000 : 1;
const known: Record<string, string> = { serialNumber: "VM-1", redemptionId: "r-1" };
let token = "";
let redeemKey = "";
let count = 0;

type Document = {
  paths: Record<string, Record<string, DocumentedCall & { security: object[] }>>;
  components: { schemas: { Error: object } };
};

// The document is made when a test runs, because the server's environment is known only then.
const paths = (openApiDocument() as Document).paths;
const calls = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, call]) => ({ method: method.toUpperCase(), path, call })),
);

beforeAll(async () => {
  token = await server.signInToApi();
  redeemKey = (await makeKey()).secret;
  await insertLobbyCanteenAndCellar();
  const { id: machineId } = await insertMachine({ serial_number: "VM-9" });
  known.groupId = await insertGroup([machineId]);
  known.promotionId = await insertPromotion();
  known.userId = (await addUser("generated@example.com")).id;
  const generated = await server.send("/api/generate_codes", {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({
      ...{ name: "Codes", num_codes: 3, discount_type: "percentage", discount_value: 5 },
    }),
  });
  known.massGenerationId = generated.headers["content-location"]!.split("/").at(-1)!;
});

/** Some calls end the token that they are made with. */
async function bearerOf(path: string): Promise<string> {
  if (path.startsWith("/api/redemptions")) return redeemKey;
  if (!/signout|password-update/.test(path)) return token;
  const email = `generated-${++count}@example.com`;
  await addUser(email);
  return server.signInToApi(email);
}

async function upload({ kind }: GeneratedRequest): Promise<[string, Buffer]> {
  const form = new FormData();
  const bytes = kind === "valid" ? await images.png() : Buffer.from("<svg onload=alert(1)>");
  const type = kind === "hostile" ? "text/html" : "image/png";
  form.set("file", new Blob([new Uint8Array(bytes)], { type }), "../x.png");
  if (kind !== "valid") form.set("filename", "\u202egnp.exe");
  const request = new Request("http://localhost", { method: "POST", body: form });
  return [request.headers.get("Content-Type")!, Buffer.from(await request.arrayBuffer())];
}

async function send(method: string, path: string, request: GeneratedRequest, isUpload: boolean) {
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => encode(request.params[name]!));
  const query = new URLSearchParams(request.query);
  // Waiting for events would take its time.
  if (path === "/api/events") query.set("wait", "0");
  const [type, body] = isUpload ? await upload(request) : ["application/json", request.body];
  return server.send(`${address}${query.size > 0 ? `?${query}` : ""}`, {
    method,
    headers: {
      Authorization: `Bearer ${await bearerOf(path)}`,
      "X-Forwarded-For": `10.9.${count % 250}.1`,
      ...(body && { "Content-Type": type }),
    },
    ...(body && { body }),
  });
}

/** An empty value and dots would be another path. */
const encode = (value: string) =>
  /^\.{0,2}$/.test(value) ? "%20" : encodeURIComponent(value.replace(/[\ud800-\udfff]/g, "?"));

function expectDocumented(answer: Answer, { responses }: DocumentedCall, name: string) {
  const { status, headers, body } = answer;
  expect(status, name).toBeLessThan(500);
  // The pipeline answers 400 for an address that can't be read, and 404 for another path.
  expect(Object.keys(responses), name).toContain(String(status));
  for (const field of Object.keys(responses[status]!.headers ?? {}))
    expect(headers, name).toHaveProperty(field.toLowerCase());
  const content = responses[status]!.content ?? {};
  const type = String(headers["content-type"]).split(";")[0]!;
  expect(Object.keys(content), name).toContain(type);
  const schema = content[type]?.schema;
  if (!schema) return;
  const found = z.fromJSONSchema(resolved(schema) as never).safeParse(JSON.parse(body));
  expect(found.error, `${name}: ${body.slice(0, 300)}`).toBeUndefined();
}

const resolved = (schema: object) =>
  "$ref" in schema ? (openApiDocument() as Document).components.schemas.Error : schema;

describe(`requests generated from the document (seed ${seed})`, () => {
  it.each(calls)("$method $path are answered as it says", async ({ method, path, call }) => {
    const isUpload = call.requestBody?.content["multipart/form-data"] !== undefined;
    for (const request of requestsOf(call, { count: repetitions(3, 50), seed, known })) {
      const answer = await send(method, path, request, isUpload);
      const { kind, ...sent } = request;
      const name = `${kind} ${JSON.stringify(sent).slice(0, 400)}`;
      expectDocumented(answer, call, name);
      // Values that the document allows are read; rules beyond it are 404, 409 or 422. A cursor has to exist.
      const hasCursor = request.query.some(([param]) => ["after", "before"].includes(param));
      if (kind === "valid" && !hasCursor)
        expect([400, 415], `${name}: ${answer.body}`).not.toContain(answer.status);
    }
  });
});
