/** The OpenAPI 3.1 document of the HTTP API, made from the operations that answer it. */
import * as z from "zod/mini";
import { environment } from "../env.server";
import { settings } from "../features/settings/settings.server";
import { capitalized } from "../format/text";
import {
  checkBody,
  redemptionBody,
  redemptionCheckSchema,
} from "../features/redemptions/redemption-api";
import { transactionSchema } from "../features/transactions/transaction-api";
import { isForEditors, type AnyOperation } from "./api.server";
import { headers, headersOf, headersOfStatus, limitHeaders } from "./openapi-headers.server";
import { formSchema, parametersOf, schemaOf } from "./openapi-schemas.server";
import { webhookDocument } from "./openapi-webhooks.server";
import { operations } from "./operations/index.server";
import { approvalAnswer, errorSchema } from "./operations/schemas";

type DocumentedOperation = Omit<AnyOperation, "body" | "run"> & {
  body?: z.ZodMiniType;
  /** Statuses besides that of success, with what they mean. */
  errors: Record<number, string>;
};

/** Statuses of errors, with what they mean where a call says nothing else. */
export const errorMeanings: Record<number, string> = {
  400: "The request can't be read, or a parameter is wrong.",
  401: "The token or key is missing or has ended.",
  403: "The token or key may not do this.",
  404: "There is nothing at this address.",
  405: "This method is not supported here.",
  409: "It has changed meanwhile, or its state doesn't allow it.",
  413: "The body is too large, or has too many values.",
  415: "The body is of another type.",
  422: "The body breaks a rule; `fields` has a message for each field.",
  429: "Too many requests. `Retry-After` says when to try again, `RateLimit` which policy was met.",
  503: "The server or its database is busy or away. Try again.",
};

const pick = (...statuses: number[]) =>
  Object.fromEntries(statuses.map((status) => [status, errorMeanings[status]!]));

/** The calls of machines, which a plain handler answers. */
const redemptionOperations: DocumentedOperation[] = [
  {
    method: "POST",
    path: "/api/redemptions",
    summary: "Redeem a code",
    scope: "redeem",
    body: redemptionBody,
    result: transactionSchema,
    answers: { 201: "The code is accepted: vend. The same again gets the same answer." },
    errors: {
      ...pick(401, 403, 413, 415, 429, 503),
      400: errorMeanings[400]!,
      409: "The id was used for something else, or `reason` is rolled_back, or archived, as its answer is no longer kept: don't vend.",
      422: "Refused, with the `reason` and, if it is `cap_reached`, the `cap`; or the body breaks a rule, with `fields`.",
    },
  },
  {
    method: "POST",
    path: "/api/redemptions/check",
    summary: "Ask what a redemption would answer",
    scope: "redeem",
    body: checkBody,
    result: redemptionCheckSchema,
    answers: {
      200: "The code would be accepted, with this discount. No use is taken: redeem it before you vend.",
    },
    errors: {
      ...pick(400, 401, 403, 413, 415, 429, 503),
      422: "The redemption would be refused, with the `reason` and, if it is `cap_reached`, the `cap`; or the body breaks a rule, with `fields`.",
    },
  },
  {
    method: "POST",
    path: "/api/redemptions/{redemptionId}/rollback",
    summary: "Give back the use of a failed vend",
    scope: "redeem",
    isIdempotent: true,
    result: transactionSchema,
    answers: {
      200: "The use is given back. The same again with the same Idempotency-Key gets the same answer.",
    },
    errors: {
      ...pick(400, 401, 403, 413, 415, 429, 503),
      404: "There is no such redemption of this integration, and one that arrives later gets 409; or it is at another machine than the key's.",
      409: "It was rolled back before: `reason` is rolled_back, and `transaction` says so. Or it was refused, or is more than 10 minutes old.",
    },
  },
];

export function documentedOperations(): DocumentedOperation[] {
  return [
    ...operations.map((operation) => ({
      ...(operation as Omit<DocumentedOperation, "errors">),
      errors: pick(400, 401, 403, 404, 409, 413, 415, 422, 429, 503),
    })),
    ...redemptionOperations,
  ];
}

function operationId({ method, path }: DocumentedOperation): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter(Boolean);
  return [method.toLowerCase(), ...words.map(capitalized)].join("");
}

const tags = {
  Accounts: "Signing in, and one's own account.",
  Users: "User administration, for admins.",
  Codes: "Codes, campaigns, and what they are assigned to.",
  Imports: "CSV files, which are checked before they are imported.",
  Machines: "Machines and their groups.",
  Transactions: "Accepted redemptions.",
  Alerts: "What needs somebody.",
  Approvals: "Requests that wait for a second admin.",
  Events: "What has happened, in order; webhooks send the same.",
  Testing: "Test codes, which test keys redeem.",
  Redemptions: "The calls of machines, with the key of an integration.",
};

function tagOf({ path }: DocumentedOperation): keyof typeof tags {
  if (/^\/((api\/)?auth|file)\//.test(path)) return "Accounts";
  if (path.startsWith("/users")) return "Users";
  if (path.startsWith("/api/alerts")) return "Alerts";
  if (path.startsWith("/api/imports")) return "Imports";
  if (path.startsWith("/api/approvals")) return "Approvals";
  if (path.startsWith("/api/events")) return "Events";
  if (path.startsWith("/api/test_codes")) return "Testing";
  if (path.startsWith("/api/redemptions")) return "Redemptions";
  if (/machine/.test(path) && !/^\/api\/promotion/.test(path)) return "Machines";
  return path.startsWith("/api/transactions") ? "Transactions" : "Codes";
}

const partialAnswers = {
  206: { description: "The part that `Range` asks for.", content: { "application/zip": {} } },
  416: { description: "The file ends before the range." },
};

const heldAnswers = {
  202: {
    description:
      "Nothing was made yet: the codes wait for a second admin, at the address in `Location`.",
    ...headersOf(...limitHeaders, "Location"),
    content: {
      "application/json": {
        schema: schemaOf(z.object({ approval: approvalAnswer.schema }), "output", ["approvals"]),
      },
    },
  },
};

const needs: Partial<Record<AnyOperation["scope"], string>> = {
  public: "Needs no token.",
  account: "Needs an access token; no key may make this call.",
  users:
    "Needs the scope `users`. A key can change only the names and phone of admins, can't change its own user, and can't make admins; a token can make them for 10 minutes after the sign-in.",
};

function toDocument(operation: DocumentedOperation): object {
  const { method, path, scope, summary, answers, errors } = operation;
  const { body, upload, csv, result, file, canBeHeld, answerHeaders = [] } = operation;
  const [status, description] = Object.entries(answers)[0]!;
  const where = [...(path.startsWith("/file/") ? ["avatar"] : []), tagOf(operation).toLowerCase()];
  const content = result
    ? { "application/json": { schema: schemaOf(result, "output", where) } }
    : { [file!]: {} };
  const parameters = parametersOf(operation);
  const isRead = method === "GET";
  const isNotForViewers =
    ["read", "promotions", "machines"].includes(scope) && isForEditors(operation);
  const revalidation = isRead
    ? { 304: { description: "The client has it (`If-None-Match`)." } }
    : {};
  return {
    operationId: operationId(operation),
    tags: [tagOf(operation)],
    summary,
    description: `${needs[scope] ?? `Needs the scope \`${scope}\`.`}${isNotForViewers ? " Not for viewers." : ""}`,
    security: scope === "public" ? [] : [{ bearer: scope === "account" ? [] : [scope] }],
    ...(parameters.length > 0 && { parameters }),
    ...(upload && requestBody("multipart/form-data", formSchema(upload))),
    ...(csv && requestBody("text/csv", { type: "string" }, { description: csv })),
    ...(body && requestBody("application/json", schemaOf(body, "input", where))),
    responses: {
      [status]: {
        description,
        ...(scope !== "redeem" && headersOf(...limitHeaders, ...answerHeaders)),
        content,
      },
      ...(canBeHeld && heldAnswers),
      ...revalidation,
      ...(isRead && file === "application/zip" && partialAnswers),
      ...Object.fromEntries(
        Object.entries(errors).map(([code, meaning]) => [
          code,
          {
            description: meaning,
            ...headersOfStatus[code],
            content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
          },
        ]),
      ),
    },
  };
}

function requestBody(type: string, schema: object, more: { description?: string } = {}): object {
  return { requestBody: { required: true, ...more, content: { [type]: { schema } } } };
}

let document: { siteName: string; json: object } | undefined;

/** Returns the whole document, which is made once for each name of the site. */
export function openApiDocument(): object {
  const { siteName } = settings();
  if (document?.siteName !== siteName) document = { siteName, json: makeDocument(siteName) };
  return document.json;
}

function makeDocument(title: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of documentedOperations())
    (paths[operation.path] ??= {})[operation.method.toLowerCase()] = toDocument(operation);
  return {
    openapi: "3.1.0",
    info: {
      title,
      version: "1.0.0",
      description:
        "Codes, machines, redemptions and users. Prices are in cents. Errors are `{error, fields?}`. `Idempotency-Key` makes a creating call run once.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: environment().appOrigin }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: webhookDocument(),
    components: {
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description: "An access token, or an API key with the scope of the call.",
        },
      },
      headers,
      schemas: { Error: schemaOf(errorSchema, "output") },
    },
  };
}
