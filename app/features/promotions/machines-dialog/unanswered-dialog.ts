import { actionOrSignIn, unansweredSentence } from "../../../forms/unanswered";
import { failureOf, type DialogReply } from "./dialog-actions";

/** The `clientAction` of the dialog: with scripts it outlives a request that gets no answer. */
export async function keepUnansweredDialog(
  request: Request,
  serverAction: () => Promise<DialogReply>,
): Promise<DialogReply> {
  const intent = String((await request.clone().formData()).get("intent"));
  try {
    return await actionOrSignIn(request, serverAction);
  } catch (cause) {
    const text = unansweredSentence(cause, failureOf(intent));
    return {
      answer: { kind: "error", text },
      ticked: { machines: [], groups: [] },
      search: "",
    };
  }
}
