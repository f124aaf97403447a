import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { environment } from "../../env.server";
import { countOf } from "../../format/number";
import { openApiDocument } from "../../http/openapi.server";
import { Calls } from "./calls";

type Schema = {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  enum?: string[];
};
type Content = Record<string, { schema?: Schema }>;
type Call = {
  operationId: string;
  tags: [string];
  summary: string;
  description: string;
  parameters?: { name: string; description?: string }[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content: Content }>;
  security: object[];
};

export type CallView = ReturnType<typeof toCallView>;

let allCalls: CallView[] | undefined;

/** Makes the views of all calls once: they are the same for everybody. */
function readCalls(): CallView[] {
  const { paths } = openApiDocument() as { paths: Record<string, Record<string, Call>> };
  return (allCalls ??= Object.entries(paths).flatMap(([path, calls]) =>
    Object.entries(calls).map(([method, call]) => toCallView(method.toUpperCase(), path, call)),
  ));
}

/** Returns the calls whose path or texts hold the search, in either case, as HTML. */
export function readDocs(search: string) {
  return search.trim() === "" ? (allDocs ??= renderDocs("")) : renderDocs(search);
}

/** Caches the page without a search: rendering it takes longer than the rest of the page. */
let allDocs: ReturnType<typeof renderDocs> | undefined;

function renderDocs(search: string) {
  const needle = search.trim().toLowerCase();
  const found = readCalls().filter((view) =>
    `${view.method} ${view.path} ${view.summary} ${view.tag}`.toLowerCase().includes(needle),
  );
  const names = [...new Set(found.map(({ tag }) => tag))];
  const groups = names.map((name) => ({ name, calls: found.filter(({ tag }) => tag === name) }));
  return {
    origin: environment().appOrigin,
    count: countOf(found.length, "call"),
    html: renderToStaticMarkup(createElement(Calls, { groups })),
  };
}

function toCallView(method: string, path: string, call: Call) {
  const [success] = Object.values(call.responses);
  const body = call.requestBody?.content["application/json"]?.schema;
  const result = success!.content["application/json"]?.schema;
  const example = body ? JSON.stringify(exampleOf(body), null, 2) : null;
  const isPublic = call.security.length === 0;
  return {
    id: call.operationId,
    tag: call.tags[0],
    ...{ method, path },
    summary: call.summary,
    needs: isPublic ? "No token" : call.description.replace(/^Needs the scope `|`\.$/g, ""),
    parameters: (call.parameters ?? []).map(({ name, description = "In the path." }) => ({
      name,
      text: description,
    })),
    answers: Object.entries(call.responses).map(([status, { description }]) => ({
      status,
      text: description.replaceAll("`", ""),
    })),
    body: example,
    result: result ? JSON.stringify(exampleOf(result), null, 2) : null,
    curl: curlOf(method, path, { isPublic, example }),
    javascript: javascriptOf(method, path, { isPublic, example }),
  };
}

type Example = { isPublic: boolean; example: string | null };

function urlOf(path: string): string {
  return environment().appOrigin + path.replace(/\{\w+\}/g, "1");
}

function curlOf(method: string, path: string, { isPublic, example }: Example): string {
  return [
    `curl -X ${method} ${urlOf(path)}`,
    ...(isPublic ? [] : [`-H "Authorization: Bearer $TOKEN"`]),
    ...(example ? [`-H "Content-Type: application/json"`, `-d '${example}'`] : []),
  ].join(" \\\n  ");
}

function javascriptOf(method: string, path: string, { isPublic, example }: Example): string {
  const headers = [
    ...(isPublic ? [] : ["    Authorization: `Bearer ${token}`,"]),
    ...(example ? [`    "Content-Type": "application/json",`] : []),
  ];
  return [
    `const response = await fetch("${urlOf(path)}", {`,
    `  method: "${method}",`,
    ...(headers.length > 0 ? ["  headers: {", ...headers, "  },"] : []),
    ...(example ? [`  body: JSON.stringify(${example.replaceAll("\n", "\n  ")}),`] : []),
    "});",
  ].join("\n");
}

/** Makes a value that a schema describes. */
function exampleOf(schema: Schema): unknown {
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return exampleOf(schema.anyOf[0]!);
  const type = [schema.type].flat()[0];
  if (type === "object")
    return Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([name, part]) => [name, exampleOf(part)]),
    );
  if (type === "array") return [exampleOf(schema.items ?? {})];
  if (type === "integer" || type === "number") return 1;
  return type === "boolean" ? true : type === "null" ? null : "text";
}
