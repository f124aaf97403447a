import { beforeAll, describe, expect, it } from "vitest";
import { insertGroup } from "../factories/machine-groups";
import { insertLobbyCanteenAndCellar, insertMachine } from "../factories/people-and-machines";
import { insertPromotion } from "../factories/promotions";
import { makeKey } from "../factories/redemptions";
import * as images from "../factories/images";
import {
  documentedCalls,
  expectDocumented,
  requestsOf,
  type GeneratedRequest,
} from "../support/generated-requests";
import { encodeForm } from "../support/multipart";
import { isSoak, repetitions } from "../support/repetitions";
import { addUser, issueTokenOf, useServer } from "../support/server";

const server = useServer({ environment: { TRUST_PROXY: "1" } });
const seed = isSoak ? Date.now() % 1_000_000 : 1;
const known: Record<string, string> = { serialNumber: "VM-1", redemptionId: "r-1" };
let token = "";
let redeemKey = "";
let count = 0;

beforeAll(async () => {
  token = await issueTokenOf();
  redeemKey = (await makeKey()).secret;
  await insertLobbyCanteenAndCellar();
  const { id: machineId } = await insertMachine({ serial_number: "VM-9" });
  known.groupId = await insertGroup([machineId]);
  known.promotionId = await insertPromotion();
  known.userId = (await addUser("generated@example.com")).id;
  const body = { name: "Codes", num_codes: 3, discount_type: "percentage", discount_value: 5 };
  const generated = await server.call("POST", "/api/generate_codes", { token, body });
  known.massGenerationId = generated.headers["content-location"]!.split("/").at(-1)!;
});

/** Some calls end the token that they are made with. */
async function bearerOf(path: string): Promise<string> {
  if (path.startsWith("/api/redemptions")) return redeemKey;
  if (!/signout|password-update/.test(path)) return token;
  const email = `generated-${++count}@example.com`;
  await addUser(email);
  return issueTokenOf(email);
}

async function upload({ kind }: GeneratedRequest) {
  const form = new FormData();
  const bytes = kind === "valid" ? await images.png() : Buffer.from("<svg onload=alert(1)>");
  const type = kind === "hostile" ? "text/html" : "image/png";
  form.set("file", new Blob([new Uint8Array(bytes)], { type }), "../x.png");
  if (kind !== "valid") form.set("filename", "\u202egnp.exe");
  return encodeForm(form);
}

let rows = 0;
const files: Record<GeneratedRequest["kind"], () => string> = {
  valid: () => `code,name,discount,uses\nGENERATED${++rows},Name,20%,single`,
  "almost valid": () => "code,name,discount\nGENERATED,Name,20%",
  hostile: () => '"\0\u202e;=cmd|\'/C calc\'!A0\n",,,"',
};

function csvFile({ kind }: GeneratedRequest) {
  return { headers: { "Content-Type": "text/csv" }, body: files[kind]() };
}

type Body = "json" | "form" | "csv";

function encoded(request: GeneratedRequest, body: Body) {
  if (body === "form") return upload(request);
  return body === "csv" ? csvFile(request) : { headers: {}, body: request.body };
}

async function send(method: string, path: string, request: GeneratedRequest, kind: Body) {
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => encode(request.params[name]!));
  const query = new URLSearchParams(request.query);
  // Waiting for events would take its time.
  if (path === "/api/events") query.set("wait", "0");
  const { headers, body } = await encoded(request, kind);
  return server.call(method, `${address}${query.size > 0 ? `?${query}` : ""}`, {
    token: await bearerOf(path),
    body,
    headers: { "X-Forwarded-For": `10.9.${count % 250}.1`, ...headers },
  });
}

/** An empty value and dots would be another path. */
const encode = (value: string) =>
  /^\.{0,2}$/.test(value) ? "%20" : encodeURIComponent(value.replace(/[\ud800-\udfff]/g, "?"));

describe(`requests generated from the document (seed ${seed})`, () => {
  it.each(documentedCalls())(
    "$method $path are answered as it says",
    async ({ method, path, call }) => {
      const { content = {} } = call.requestBody ?? {};
      const isCsv = "text/csv" in content;
      const body = isCsv ? "csv" : "multipart/form-data" in content ? "form" : "json";
      for (const request of requestsOf(call, { count: repetitions(3, 50), seed, known })) {
        const answer = await send(method, path, request, body);
        const { kind, ...sent } = request;
        const name = `${kind} ${JSON.stringify(sent).slice(0, 400)}`;
        // The pipeline answers 400 for an address that can't be read, and 404 for another path.
        expect(answer.status, name).toBeLessThan(500);
        expectDocumented(call, answer, name);
        // Values that the document allows are read; rules beyond it are 404, 409 or 422. A cursor has to exist.
        const hasCursor = request.query.some(([param]) => ["after", "before"].includes(param));
        if (kind === "valid" && !hasCursor)
          expect([400, 415], `${name}: ${answer.body}`).not.toContain(answer.status);
      }
    },
  );
});
