import { copyFile, mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";
import { beforeAll, describe, expect, it } from "vitest";
import { insertLobbyCanteenAndCellar } from "../factories/people-and-machines";
import { makeKey } from "../factories/redemptions";
import { password, useServer } from "../support/server";

const server = useServer();
const root = path.resolve(import.meta.dirname, "../..");
const folder = path.join(root, ".cache/typescript-client");
const program = path.join(folder, "journey.ts");

type Journey = (start: {
  origin: string;
  email: string;
  password: string;
  key: string;
}) => Promise<object>;

/** Returns what a strict compiler says about the client and the generated types. */
function typeErrors(): string[] {
  const checked = ts.createProgram([program], {
    // Checks the generated declarations, but not those of the language.
    strict: true,
    noEmit: true,
    skipDefaultLibCheck: true,
    types: [],
    noUncheckedIndexedAccess: true,
    lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2022,
  });
  return ts
    .getPreEmitDiagnostics(checked)
    .map(({ file, messageText }) =>
      [file?.fileName ?? "", ts.flattenDiagnosticMessageText(messageText, "\n")].join(": "),
    );
}

describe("a client that is generated from the document", () => {
  beforeAll(async () => {
    await insertLobbyCanteenAndCellar();
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    const types = astToString(await openapiTS((await server.send("/api/openapi.json")).body));
    await writeFile(path.join(folder, "schema.d.ts"), types);
    await copyFile(path.join(root, "tests/fixtures/client-journey.ts.txt"), program);
  });

  it("has types that fit its calls", () => {
    expect(typeErrors()).toEqual([]);
  });

  it("creates, assigns, redeems and deactivates a promotion", async () => {
    const { secret } = await makeKey();
    const source = ts.sys.readFile(program)!;
    const { outputText } = ts.transpileModule(source, {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
    });
    const script = path.join(folder, "journey.mjs");
    await writeFile(script, outputText);
    const { journey } = (await import(pathToFileURL(script).href)) as { journey: Journey };
    const start = { origin: server.origin, email: "admin@example.com", password, key: secret };
    const [first, second] = ["VM-1", "VM-2"];
    expect(await journey(start)).toEqual({
      machines: [first, second],
      discountedPrice: 200,
      isNewest: true,
      imageType: "image/png",
      status: "inactive",
      refusal: "inactive",
      unknownStatus: 404,
    });
  });
});
