import { DomainError } from "../../errors";
import {
  describeUndo,
  getImport,
  undoImport,
  undoRejections,
} from "../../features/imports/imports.server";
import { answered } from "../../forms/question";
import { orList } from "../../http/answers.server";
import { confirmRoute } from "../../http/confirm-route.server";
import { requireEditor } from "../../http/guards.server";
import { paths } from "../../paths";

const { loader, action } = confirmRoute({
  guard: requireEditor,
  async ask({ params: { importId = "" } }, session) {
    const item = await orList(session, paths.imports, getImport(importId, session.user));
    const question = {
      title: "Confirm undoing",
      question: `Undo the import of "${item.fileName}"?`,
      consequences: [],
      verb: "Undo import",
      pendingVerb: "Starting...",
      isDangerous: true,
      closeTo: paths.import(item.id),
      failure: "Error undoing import",
    };
    if (!item.canUndo) return answered(question, undoRejections[item.state]);
    return { ...question, consequences: [await describeUndo(item)] };
  },
  async run({ params: { importId = "" }, session, options }) {
    const to = paths.import(importId);
    try {
      await undoImport(importId, options);
      return { to, text: "The import is being undone" };
    } catch (cause) {
      if (!(cause instanceof DomainError) || cause.reason !== "conflict") throw cause;
      const { state } = await getImport(importId, session.user);
      if (state !== "undoing" && state !== "undone") throw cause;
      const text =
        state === "undone"
          ? "This import is already undone."
          : "This import is already being undone.";
      return { to, kind: "info", text };
    }
  },
});
export { action, loader };

export { clientAction, meta, ConfirmRoute as default } from "../../ui/modal/confirm-dialog";
