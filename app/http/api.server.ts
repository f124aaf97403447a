/** The shape of every call of the HTTP API: an operation is data, and the rules of all calls come with it. */
import { createHash } from "node:crypto";
import { json } from "@remix-run/node";
import * as z from "zod/mini";
import { readFromReplica } from "../db/replica.server";
import { DomainError, HeldForApproval, StaleVersionError } from "../errors";
import type { FieldErrors } from "../forms/validator";
import { checkIdempotencyKey } from "../features/activity/idempotency.server";
import { askForApproval } from "../features/approvals/approvals.server";
import { getApproval } from "../features/approvals/list-approvals.server";
import type { KeyScope } from "../features/sign-in/key-scopes";
import { canEdit, type Reader } from "../features/sign-in/user";
import { apiError, statusOf } from "./answers.server";
import { readBody, readUpload, renameFields, streamCsv } from "./api-body.server";
import { notModified } from "./file-response.server";
import { allowAnyone, requireBearer, requireScope } from "./guards.server";
import { approvalAnswer } from "./operations/schemas";
import type { RouteArgs, Session } from "./sessions.server";

export type ApiCaller = Pick<Session, "user" | "actor"> & {
  /** Options of domain functions that create: the actor, and the key that makes a repeated call run once. */
  options: { actor: Session["actor"]; idempotencyKey: string | null };
};

/** Request of one call, with the values that passed the rules of its operation. */
export type ApiCall<Body, Query> = RouteArgs & {
  body: Body;
  query: Query;
  /** The fields and files of an `upload`; empty for other calls. */
  form: FormData;
  /** The body of a `csv` call, which is read while it arrives; null for other calls. */
  bytes: AsyncIterable<Uint8Array> | null;
  /** The value of a parameter of the path; '' if the path has none of this name. */
  param: (name: string) => string;
};

/**
 * `public` needs no key. An access token has every scope; a key has those it was made with. `users` is for
 * admins; `account` changes the account of the user, which no key may.
 */
export type Scope = "public" | "account" | KeyScope;

export type QueryParams = Record<
  string,
  string | [description: string, schema: object, isRequired?: true]
>;

export type Operation<Body, Query, Needed extends Scope> = {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Path as clients write it, with `{name}` for each parameter. */
  path: string;
  scope: Needed;
  summary?: string;
  /** Schema of a JSON body, with the message of each field. */
  body?: z.ZodMiniType<Body>;
  /** Returns messages about sent fields by rules that `run` checks, so that one answer has all of them. */
  rules?: (sent: Record<string, unknown>) => FieldErrors | Promise<FieldErrors>;
  /** Names of fields in the body, by those that the errors of `run` have where they differ. */
  fieldNames?: Record<string, string>;
  /** Makes a body that breaks the schema a 400 with this message, instead of a 422 with fields. */
  unreadable?: string;
  /** Parts of a `multipart/form-data` body instead, with what they mean; `file` is required. */
  upload?: Record<string, string>;
  /** Describes a `text/csv` body instead, which is read while it arrives. */
  csv?: string;
  /** Reads the query string; any error makes the answer a 400. */
  query?: (
    params: URLSearchParams,
    reader: Reader,
  ) => { query: Query; errors: Record<string, string> };
  /** Meaning of each status that this call answers; the first one is that of success. */
  answers: Record<number, string>;
  /** Schema of the answer of success, which is empty by default, or a `file`. */
  result?: z.ZodMiniType;
  /** Media type of the file that is the answer of success. */
  file?: string;
  /** Whether it makes codes, which may wait for a second admin: then the answer is 202 (RULES Y1). */
  canBeHeld?: boolean;
  /** Whether the same `Idempotency-Key` makes it run once, for the document: it passes its `options` on. */
  isIdempotent?: boolean;
  /** Header fields that its answer of success has besides those of all calls, for the document. */
  answerHeaders?: ("Content-Location" | "Link")[];
  /** Keeps viewers from a call that reads: its answer has whole codes. They make no other calls that change anything. */
  hasWholeCodes?: boolean;
  /** Lets the answer be some milliseconds old, but never older than what its caller wrote. */
  isFromReplica?: boolean;
  /** Parameters of the query string, for the document, with a JSON schema where it matters; `query` decides. */
  queryParams?: QueryParams;
  run: (
    call: ApiCall<Body, Query> & (Needed extends "public" ? object : ApiCaller),
  ) => Promise<object | Response | void>;
};

// Each operation has types of its own; the list of a route is read without them.
export type AnyOperation = Operation<never, never, Scope>;

const emptySchema = z.object({});

/** Declares an operation, so that the types of its body and query reach `run`. */
export function operation<Body = undefined, Query = undefined, Needed extends Scope = "read">(
  declared: Operation<Body, Query, Needed>,
): AnyOperation {
  const result = declared.file ? undefined : emptySchema;
  return { result, ...declared } as unknown as AnyOperation;
}

/** Describes a parameter of the query string that is one of some words. */
export const oneOf = (...values: string[]): QueryParams[string] => [
  `${values.slice(0, -1).join(", ")} or ${values.at(-1)}.`,
  { type: "string", enum: values },
];

/**
 * Makes the loader and the action that answer operations: 404 for a path of none, then the caller is
 * checked, then the method. Each JSON answer to a GET gets an ETag.
 */
export function apiRoute(...operations: AnyOperation[]) {
  const handler = async (args: RouteArgs): Promise<Response> => {
    try {
      return await answer(operations, args);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (error.reason === "unavailable") args.context.fault = error;
      const { status, headers } = statusOf(error);
      return apiError(status, messageOf(error), { fields: error.fields, headers });
    }
  };
  return { loader: handler, action: handler };
}

/** A caller of the API has no page that shows the current values. */
function messageOf(error: DomainError): string {
  return error instanceof StaleVersionError
    ? `${error.change} after you read it. Nothing was saved. Read it again and send its version.`
    : error.message;
}

async function answer(operations: AnyOperation[], args: RouteArgs): Promise<Response> {
  const { request } = args;
  const url = new URL(request.url);
  // Without its last parameter a DELETE would be a broader one.
  const pathname = request.method === "DELETE" ? url.pathname : url.pathname.replace(/\/$/, "");
  const candidates = operations.filter(({ path }) => pathParams(path, pathname));
  if (candidates.length === 0) {
    await allowAnyone(args);
    return apiError(404, "There is nothing at this address.");
  }
  const isPublic = candidates.every(({ scope }) => scope === "public");
  const bearer = isPublic ? null : await requireBearer(args);
  const method = request.method === "HEAD" ? "GET" : request.method;
  const found = candidates.find((candidate) => candidate.method === method);
  if (!found) {
    // Others than admins don't learn which methods exist here.
    if (bearer && candidates.every(({ scope }) => scope === "users"))
      requireScope(bearer, "users", args);
    return methodNotAllowed(candidates);
  }
  const { scope } = found;
  const caller =
    bearer && scope !== "public" && requireScope(bearer, scope === "account" ? null : scope, args);
  if (caller && !canEdit(caller.user) && isForEditors(found))
    return apiError(403, "Viewers may not do this.");
  const idempotencyKey = request.headers.get("Idempotency-Key");
  if (method === "POST") checkIdempotencyKey(idempotencyKey);

  const query = found.query?.(url.searchParams, caller ? caller.user : { role: "viewer" });
  const queryErrors = { ...query?.errors, ...repeatedParams(found, url.searchParams) };
  const [queryError] = Object.values(queryErrors);
  if (queryError) return apiError(400, queryError, { fields: queryErrors });
  const params = pathParams(found.path, pathname);
  const call = {
    ...args,
    ...(caller && { ...caller, options: { actor: caller.actor, idempotencyKey } }),
    body: await readBody(found, request),
    form: found.upload ? await readUpload(request) : new FormData(),
    bytes: found.csv ? streamCsv(request) : null,
    query: query?.query,
    param: (name: string) => params?.[name] ?? "",
  } as Parameters<AnyOperation["run"]>[0];
  const run = () => found.run(call);
  // Redemptions are writes that are not recorded, because they would cost a statement more.
  const canLag = found.isFromReplica && !bearer?.scopes?.includes("redeem");
  const running = canLag && caller ? readFromReplica(caller.user.id, run) : run();
  const result = await running.catch((cause: unknown) => {
    if (cause instanceof HeldForApproval && caller) return heldAnswer(cause, caller);
    throw withFieldNames(cause, found.fieldNames);
  });
  if (result instanceof Response) return result;
  const status = Number(Object.keys(found.answers)[0]);
  return method === "GET" ? taggedJson(request, result ?? {}) : json(result ?? {}, { status });
}

/** Answers that codes wait for a second admin, with the address that tells whether they were made. */
async function heldAnswer(
  { held }: HeldForApproval,
  { actor, user }: Pick<ApiCaller, "actor" | "user">,
): Promise<Response> {
  const id = await askForApproval(held, actor);
  const body = { approval: approvalAnswer.of(await getApproval(id, user)) };
  return json(body, { status: 202, headers: { Location: `/api/approvals/${id}` } });
}

/** Tells whether a call changes more than the own account, or answers with whole codes. */
export function isForEditors({
  method,
  scope,
  hasWholeCodes = false,
}: Pick<AnyOperation, "method" | "scope" | "hasWholeCodes">): boolean {
  return hasWholeCodes || (method !== "GET" && scope !== "account" && scope !== "public");
}

/** Returns a message about each parameter that is sent more than once and is no list: all but one would be ignored. */
function repeatedParams({ queryParams = {} }: AnyOperation, params: URLSearchParams): FieldErrors {
  const repeated = Object.entries(queryParams).filter(
    ([name, [, schema]]) =>
      params.getAll(name).length > 1 && !(typeof schema === "object" && "items" in schema),
  );
  return Object.fromEntries(repeated.map(([name]) => [name, `Send '${name}' once`]));
}

/** Returns the values of the `{parameters}` of a path, or null for a path that doesn't match. */
function pathParams(pattern: string, pathname: string): Record<string, string> | null {
  const [names, segments] = [pattern.split("/"), pathname.split("/")];
  if (names.length !== segments.length) return null;
  const params: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    const segment = segments[index]!;
    if (name.startsWith("{")) params[name.slice(1, -1)] = decodeURIComponent(segment);
    else if (name !== segment) return null;
  }
  return params;
}

/** Returns an error whose fields have the names that the caller uses. */
function withFieldNames(cause: unknown, names?: Record<string, string>): unknown {
  if (!(cause instanceof DomainError) || Object.keys(cause.fields).length === 0) return cause;
  return new DomainError(cause.reason, cause.message, renameFields(cause.fields, names));
}

/** Answers a GET with JSON and an ETag, or with 304 if the client has it. */
export function taggedJson(
  request: Request,
  result: object,
  moreHeaders: Record<string, string> = {},
): Response {
  const body = JSON.stringify(result);
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
  const headers = { ETag: etag, "Cache-Control": "private, no-store", ...moreHeaders };
  return (
    notModified(request, etag, headers) ??
    new Response(body, {
      headers: { ...headers, "Content-Type": "application/json; charset=utf-8" },
    })
  );
}

function methodNotAllowed(operations: AnyOperation[]): Response {
  const allowed = operations.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : method));
  return apiError(405, "This method is not supported here.", {
    headers: { Allow: allowed.join(", ") },
  });
}
