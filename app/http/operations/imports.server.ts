import { invalidFields, notFound } from "../../errors";
import {
  maxImportBytes,
  maxImportRows,
  maxUnconfirmedImports,
  type Import,
} from "../../features/imports/import";
import { importKinds, type ImportKind } from "../../features/imports/import-kinds";
import {
  confirmImport,
  getImport,
  readWrongRows,
  requireKind,
  undoImport,
} from "../../features/imports/imports.server";
import { stageImport } from "../../features/imports/stage-import.server";
import { formatBytes, formatNumber } from "../../format/number";
import { operation, type ApiCaller, type Operation } from "../api.server";
import { takeUpload } from "../file-form.server";
import { importAnswer } from "./schemas";

const kinds = Object.keys(importKinds) as ImportKind[];

const uploads: Record<ImportKind, string> = {
  codes: "Upload a CSV file of printed codes",
  machines: "Upload a CSV file of machines, where no platform lists them",
  groups: "Upload a CSV file of machine groups",
  assignments: "Upload a CSV file of assignments",
};

const columnsOf = (kind: ImportKind) =>
  importKinds[kind].columns
    .map(({ name, isRequired }) => (isRequired ? name : `${name} (optional)`))
    .join(", ");

function operationsOf(kind: ImportKind) {
  const path = `/api/imports/${kind}`;
  const { scope } = importKinds[kind];
  const ofImport = <Method extends "GET" | "POST">(
    method: Method,
    more: string,
    summary: string,
    answer: string,
    run: (id: string, caller: ApiCaller) => Promise<void>,
  ) =>
    operation<undefined, undefined, "promotions" | "machines">({
      method,
      path: `${path}/{importId}${more}`,
      summary,
      scope,
      hasWholeCodes: true,
      isIdempotent: method === "POST",
      canBeHeld: kind === "codes" && more === "/confirm",
      answers: { 200: answer },
      result: importAnswer.schema,
      async run({ param, ...caller }) {
        const item = await getImport(param("importId"), caller.user);
        if (item.kind !== kind) throw notFound("Import not found");
        await run(item.id, caller);
        return toApiImport(await getImport(item.id, caller.user));
      },
    } as Operation<undefined, undefined, "promotions" | "machines">);
  return [
    operation<undefined, undefined, "promotions" | "machines">({
      method: "POST",
      path,
      summary: uploads[kind],
      scope,
      isIdempotent: true,
      csv: `UTF-8, with the names of the columns in the first row: ${columnsOf(kind)}. At most ${formatBytes(maxImportBytes)} and ${formatNumber(maxImportRows)} rows.`,
      answers: {
        201: `The import, which is being checked. Nothing is written before it is confirmed. Of the files that a user and the user's keys uploaded and nobody has confirmed, the ${maxUnconfirmedImports} newest are kept; an older one is deleted, and gets 404.${importKinds[kind].isForAdmins ? " Admins only." : ""}`,
      },
      result: importAnswer.schema,
      async run({ bytes, user, options }) {
        await requireKind(kind, user);
        if (!bytes) throw invalidFields({ file: "Send a CSV file" });
        const leave = takeUpload(user.id);
        try {
          const upload = { kind, fileName: `${kind}.csv`, bytes };
          const { id } = await stageImport(upload, options);
          return await toApiImport(await getImport(id, user));
        } finally {
          leave();
        }
      },
    }),
    ofImport(
      "GET",
      "",
      "Read an import",
      "The import with its progress, and the first 100 rows that can't be imported.",
      async () => {},
    ),
    ofImport(
      "POST",
      "/confirm",
      "Import all rows",
      "The import, which has started: all rows or none.",
      async (id, { options }) => confirmImport(id, options),
    ),
    ofImport(
      "POST",
      "/undo",
      "Undo an import",
      "The import, which is being undone. Within a day, and what is not in use by then; `stayed` says what is.",
      async (id, { options }) => undoImport(id, options),
    ),
  ];
}

async function toApiImport(item: Import) {
  const hasWrong = item.state === "checked" && item.wrongRows > 0;
  const rows = hasWrong ? await readWrongRows(item.id) : [];
  const wrong = rows.map(({ line, entry, reason: problem }) => ({ line, entry, problem }));
  return importAnswer.of({ ...item, wrong });
}

export const importOperations = kinds.flatMap(operationsOf);
