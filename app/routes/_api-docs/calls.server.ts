/** Views of the calls of the API, made from its OpenAPI document. */
import { environment } from "../../env.server";
import { openApiDocument } from "../../http/openapi.server";
import { exampleOf, fieldsOf, type Schema } from "./schema-fields";

type Content = Record<string, { schema?: Schema }>;
type Call = {
  operationId: string;
  tags: [string];
  summary: string;
  description: string;
  parameters?: { name: string; description?: string }[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content: Content }>;
  security: { bearer: string[] }[];
};

export type CallView = ReturnType<typeof toCallView>;

let allCalls: CallView[] | undefined;

/** Returns the views of all calls, which are made once: they are the same for everybody. */
function readCalls(): CallView[] {
  const { paths } = openApiDocument() as { paths: Record<string, Record<string, Call>> };
  return (allCalls ??= Object.entries(paths).flatMap(([path, calls]) =>
    Object.entries(calls).map(([method, call]) => toCallView(method.toUpperCase(), path, call)),
  ));
}

export function readGroups(calls = readCalls()) {
  const names = [...new Set(calls.map(({ tag }) => tag))];
  return names.map((name) => ({
    id: name.toLowerCase(),
    name,
    calls: calls.filter(({ tag }) => tag === name),
  }));
}

/** Returns the calls whose path or texts hold the search, in either case. */
export function searchCalls(search: string): CallView[] {
  const needle = search.trim().toLowerCase();
  return readCalls().filter(({ method, path, summary, tag }) =>
    `${method} ${path} ${summary} ${tag}`.toLowerCase().includes(needle),
  );
}

/** @throws if there is no such call */
export function callAt(method: string, path: string): CallView {
  return readCalls().find((call) => call.method === method && call.path === path)!;
}

function toCallView(method: string, path: string, call: Call) {
  const [success] = Object.values(call.responses);
  const [body] = Object.values(call.requestBody?.content ?? {});
  const result = success!.content["application/json"]?.schema;
  const isPublic = call.security.length === 0;
  return {
    id: call.operationId,
    tag: call.tags[0],
    method,
    path,
    summary: call.summary,
    needs: isPublic ? "No token" : call.description.replace(/^Needs the scope (`\w+`)\.$/, "$1"),
    parameters: (call.parameters ?? []).map(({ name, description = "In the path." }) => [
      `\`${name}\``,
      description,
    ]),
    answers: Object.entries(call.responses).map(([status, { description }]) => [
      status,
      description,
    ]),
    bodyFields: body?.schema ? fieldsOf(body.schema, true) : [],
    resultFields: result ? fieldsOf(result, false) : [],
    result: result ? JSON.stringify(exampleOf(result), null, 2) : null,
    curl: curlOf(method, path, call),
  };
}

function curlOf(method: string, path: string, { security, requestBody }: Call): string {
  // Calls without a scope are of accounts, and no key may make them.
  const secrets = security.map(({ bearer }) => (bearer.length > 0 ? "$API_KEY" : "$ACCESS_TOKEN"));
  return [
    `curl -X ${method} ${environment().appOrigin}${path.replace(/\{\w+\}/g, "1")}`,
    ...secrets.map((secret) => `-H "Authorization: Bearer ${secret}"`),
    ...bodyOptions(path, requestBody?.content ?? {}),
  ].join(" \\\n  ");
}

/** Options of curl that send a body: an example of JSON, or a file in the folder of the caller. */
function bodyOptions(path: string, content: Content): string[] {
  const schema = content["application/json"]?.schema;
  if (schema) {
    const example = JSON.stringify(exampleOf(schema, "", true), null, 2);
    return [`-H "Content-Type: application/json"`, `-d '${example}'`];
  }
  if (content["text/csv"])
    return [`-H "Content-Type: text/csv"`, `--data-binary @${path.split("/").at(-1)}.csv`];
  return content["multipart/form-data"] ? ["-F file=@photo.png"] : [];
}
