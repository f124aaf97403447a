import { DomainError, invalidFields } from "../../errors";
import {
  importKinds,
  kindOf,
  maxImportBytes,
  type Import,
  type ImportKind,
} from "../../features/imports/import";
import {
  confirmImport,
  getImport,
  readWrongRows,
  requireKind,
  undoImport,
} from "../../features/imports/imports.server";
import { stageImport } from "../../features/imports/stage-import.server";
import { formatBytes } from "../../format/number";
import { operation, type ApiCaller, type Operation } from "../api.server";
import { takeUpload } from "../file-form.server";
import { importSchema } from "./schemas";

const kinds = Object.keys(importKinds) as ImportKind[];

/** The scope that a key needs, by what the file holds. */
const scopes: Record<ImportKind, "promotions" | "machines"> = { codes: "promotions" };

const columnsOf = (kind: ImportKind) =>
  kindOf(kind)
    .columns.map(({ name, isRequired }) => (isRequired ? name : `${name} (optional)`))
    .join(", ");

/** Calls about imports of one kind of file. */
function operationsOf(kind: ImportKind) {
  const path = `/api/imports/${kind}`;
  const scope = scopes[kind];
  const ofImport = <Method extends "GET" | "POST">(
    method: Method,
    more: string,
    answer: string,
    run: (id: string, caller: ApiCaller) => Promise<void>,
  ) =>
    operation<undefined, undefined, "promotions" | "machines">({
      ...{ method, path: `${path}/{importId}${more}`, scope, hasWholeCodes: true },
      answers: { 200: answer },
      result: importSchema,
      async run({ param, ...caller }) {
        const item = await getImport(param("importId"), caller.user);
        if (item.kind !== kind) throw new DomainError("not_found", "Import not found");
        await run(item.id, caller);
        return toApiImport(await getImport(item.id, caller.user));
      },
    } as Operation<undefined, undefined, "promotions" | "machines">);
  return [
    operation<undefined, undefined, "promotions" | "machines">({
      ...{ method: "POST", path, scope },
      csv: `UTF-8, with the names of the columns in the first row: ${columnsOf(kind)}. At most ${formatBytes(maxImportBytes)}.`,
      answers: {
        201: "The import, which is being checked. Nothing is written before it is confirmed.",
      },
      result: importSchema,
      async run({ bytes, user, options }) {
        requireKind(kind, user);
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
      "The import with its progress, and the first 100 rows that can't be imported.",
      async () => {},
    ),
    ofImport(
      "POST",
      "/confirm",
      "The import, which has started: all rows or none.",
      async (id, { options }) => confirmImport(id, options),
    ),
    ofImport(
      "POST",
      "/undo",
      "The import, which is being undone. Within a day, and where nothing was redeemed.",
      async (id, { options }) => undoImport(id, options),
    ),
  ];
}

async function toApiImport(item: Import) {
  const { state, wrongRows } = item;
  return {
    id: Number(item.id),
    kind: item.kind,
    state,
    rows: item.rows,
    wrong_rows: wrongRows,
    done_rows: item.position,
    created_at: item.createdAt.toISOString(),
    imported_at: item.importedAt?.toISOString() ?? null,
    wrong: state === "checked" && wrongRows > 0 ? await readWrongRows(item.id) : [],
  };
}

export const importOperations = kinds.flatMap(operationsOf);
