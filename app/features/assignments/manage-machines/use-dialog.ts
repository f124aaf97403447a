import {
  useFetcher,
  useFetchers,
  type ClientActionFunctionArgs,
  type ClientLoaderFunctionArgs,
  type ShouldRevalidateFunctionArgs,
} from "@remix-run/react";
import { useEffect, useRef } from "react";
import {
  actionOrSignIn,
  networkErrorMessage,
  noAnswerMessage,
} from "../../../forms/network-errors";
import { idempotencyField } from "../../../forms/validator";
import { type ChosenTargets, noTargets, pickerFields, targetKinds, toParams } from "../targets";
import {
  addIntent,
  type DialogAbout,
  type DialogAnswer,
  type DialogData,
  type DialogReply,
  failureOf,
  fieldNames,
  keyOf,
  type PendingChange,
  removedBy,
  unassignAllIntent,
} from "./machines-dialog";

type Failure = { failure: string };

/** Whether the dialog came with its lists, and keeps getting them with the page. */
let isWithPage = false;

/** Facts of the promotion or mass generation that the page behind the dialog shows. */
type CachedOwner = Pick<DialogAbout, "id" | "name" | "code" | "size"> & { status: string };

/**
 * Builds the `clientLoader` of the dialog. Over its page it opens without a request, and its lists follow.
 * @param findOwner finds what the page behind it shows
 */
export function dialogClientLoader(
  findOwner: (params: ClientLoaderFunctionArgs["params"]) => CachedOwner | null | undefined,
) {
  return async ({
    request,
    params,
    serverLoader,
  }: ClientLoaderFunctionArgs): Promise<DialogData | Failure> => {
    const owner = findOwner(params);
    const isListRead = new URL(request.url).searchParams.has(fieldNames.search);
    if (owner && !isListRead && !isWithPage) {
      const { id, name, code, size, status } = owner;
      const about = { id, name, code, size, isDeleted: status === "deleted", note: null };
      return { about, targets: null };
    }
    try {
      return await serverLoader<DialogData>();
    } catch (cause) {
      if (!isListRead) throw cause;
      return { failure: await networkErrorMessage(cause, "Failed to load machines") };
    }
  };
}

/** A change without an answer leaves both lists as they are. */
export function shouldRevalidate({
  actionResult,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  const { answer } = (actionResult ?? {}) as Partial<DialogReply>;
  return answer?.text === noAnswerMessage ? false : defaultShouldRevalidate;
}

/** The `clientAction` of the dialog: keeps it open when the network request fails. */
export async function clientAction({
  request,
  serverAction,
}: ClientActionFunctionArgs): Promise<DialogReply> {
  const intent = String((await request.clone().formData()).get("intent"));
  try {
    return await actionOrSignIn(request, () => serverAction<DialogReply>());
  } catch (cause) {
    const text = await networkErrorMessage(cause, failureOf(intent));
    return { answer: { kind: "error", text }, ticked: noTargets, search: "" };
  }
}

/** Reads the lists of a dialog that was opened without them, and searches on the server. */
export function useDialogData(data: DialogData, path: string) {
  const fetcher = useFetcher<DialogData | Failure>();
  const latest = useRef(data);
  if (fetcher.data && "about" in fetcher.data) latest.current = fetcher.data;
  else if (data.targets && !fetcher.data) latest.current = data;

  const lastQuery = useRef("");
  const readAgain = () => fetcher.load(lastQuery.current);
  const read = (search: string, ticked: ChosenTargets = noTargets) => {
    const query = toParams(ticked);
    query.set(fieldNames.search, search);
    lastQuery.current = `${path}?${query}`;
    readAgain();
  };

  useEffect(() => {
    isWithPage = data.targets !== null;
    if (!isWithPage) read("");
    return () => {
      isWithPage = false;
    };
    // Once, when it opens.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  return {
    ...latest.current,
    failure: fetcher.data && "failure" in fetcher.data ? fetcher.data.failure : null,
    read,
    /** Reads what was asked for last, which failed. */
    readAgain,
  };
}

/**
 * Sends intents without leaving the page, one after the other, and hands over each answer once, with
 * the targets that were sent. What is sent before the lists are read again waits for them; an intent
 * that is repeated before its answer is ignored.
 */
export function useDialogAction(
  { address, idempotencyKey }: { address: string; idempotencyKey: string },
  onAnswer: (answer: DialogAnswer, chosen: ChosenTargets) => void,
) {
  const fetcher = useFetcher<DialogReply>();
  const lastAnswered = useRef<unknown>(undefined);
  const sent = useRef<Sent | null>(null);
  const waiting = useRef<Sent | null>(null);
  const { data, state } = fetcher;

  useEffect(() => {
    if (!data || data === lastAnswered.current) return;
    lastAnswered.current = data;
    if (data.answer) onAnswer(data.answer, sent.current?.chosen ?? noTargets);
  }, [data, onAnswer]);

  useEffect(() => {
    const next = waiting.current;
    if (state !== "idle" || !next) return;
    waiting.current = null;
    submit(next);
  });

  function submit(next: Sent) {
    sent.current = next;
    const form = new FormData();
    form.set("intent", next.intent);
    form.set(fieldNames.inline, "1");
    form.set(idempotencyField, idempotencyKey);
    for (const [name, value] of toParams(next.chosen)) form.append(name, value);
    fetcher.submit(form, { method: "post", action: address });
  }

  return {
    isPending: state !== "idle",
    intent: fetcher.formData?.get("intent"),
    send(intent: string, chosen: ChosenTargets = noTargets) {
      if (state === "idle") submit({ intent, chosen });
      else if (state === "loading" || sent.current?.intent !== intent)
        waiting.current = { intent, chosen };
    },
  };
}

type Sent = { intent: string; chosen: ChosenTargets };

/** Collects everything that this dialog has sent and that is not answered yet. */
export function usePendingChange(path: string): PendingChange {
  const [added, removed] = [new Set<string>(), new Set<string>()];
  let isCleared = false;
  for (const { formAction, formData } of useFetchers()) {
    if (!formData || formAction?.split("?")[0] !== path) continue;
    const intent = String(formData.get("intent"));
    const target = removedBy(intent);
    if (target) removed.add(keyOf(target));
    if (intent === unassignAllIntent) isCleared = true;
    if (intent !== addIntent) continue;
    const { ticked } = pickerFields(formData);
    for (const { kind, field } of targetKinds)
      for (const id of ticked[field]) added.add(keyOf({ kind, id }));
  }
  return { added, removed, isCleared };
}
