import { actionOrSignIn, networkErrorMessage } from "../../../forms/network-errors";
import { failureOf, type DialogReply } from "./dialog-actions";

/** The `clientAction` of the dialog: with scripts it outlives a request that gets no answer. */
export async function keepDialogOnNetworkError(
  request: Request,
  serverAction: () => Promise<DialogReply>,
): Promise<DialogReply> {
  const intent = String((await request.clone().formData()).get("intent"));
  try {
    return await actionOrSignIn(request, serverAction);
  } catch (cause) {
    const text = networkErrorMessage(cause, failureOf(intent));
    return {
      answer: { kind: "error", text },
      ticked: { machines: [], groups: [] },
      search: "",
    };
  }
}
