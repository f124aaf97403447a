/** A form that is left by Back is sent all the same, and the page behind tells its outcome (RULES H6). */
import { flashParam } from "../../lists/list-params";
import { redirectHeader } from "../../remix/data-requests";
import { reloadData, routerState, whenIdle } from "../../remix/router";
import { connectionNotice } from "./connection-notice";
import { fetchWhole } from "./whole-answer";

const noAnswerToLeftForm =
  "No answer from the server to the form that you left. Open it again to see what happened.";

/** Path of the form that was submitted last, and where: Back may be quicker than its request. */
let submitted: { path: string; location: object | undefined } | null = null;

/** Called when a form is submitted, before Remix sends it. */
export function noteSubmission(form: HTMLFormElement, submitter: HTMLElement | null): void {
  if (form.method !== "post") return;
  const action = submitter?.getAttribute("formaction") ?? form.getAttribute("action") ?? "";
  const path = new URL(action, location.href).pathname;
  submitted = { path, location: routerState()?.location };
}

export async function post(url: URL, init: RequestInit): Promise<Response> {
  const current = routerState()?.location;
  const sentFrom = submitted?.path === url.pathname ? submitted.location : current;
  submitted = null;
  const answer = fetchWhole(url, init);
  let isAborted = false;
  const tellIfLeft = (tell: () => void) => {
    const { location, navigation } = routerState() ?? {};
    // A form in a row or a dialog outlives them: Remix then drops its answer.
    if (isAborted || location !== sentFrom || navigation?.state === "loading") tell();
  };
  answer.then(
    (response) => {
      const copy = response.clone();
      tellIfLeft(() => void tellOutcome(copy));
    },
    () => tellIfLeft(() => connectionNotice.tellOutcome(noAnswerToLeftForm)),
  );
  const left = new Promise<never>((_resolve, reject) => {
    init.signal?.addEventListener("abort", () => {
      isAborted = true;
      reject(init.signal?.reason);
    });
  });
  return Promise.race([answer, left]);
}

/** Parts of the answers to forms that hold a message. */
type LeftAnswer = {
  error?: string;
  answer?: { text: string } | null;
  fieldErrors?: Record<string, string>;
  /** Message for people who have left the page that shows the rest of the answer. */
  leftMessage?: string;
};

/** Shows the message to which the answer of a form that was left leads. */
async function tellOutcome(response: Response): Promise<void> {
  const redirect = response.headers.get(redirectHeader);
  const flash = new URL(redirect ?? "", location.href).searchParams.get(flashParam);
  if (flash) return readPageAgain(flash);
  const body = (await response.json().catch(() => null)) as LeftAnswer | null;
  const { error, answer, fieldErrors, leftMessage } = body ?? {};
  const rejection = Object.values(fieldErrors ?? {})[0];
  const isAccepted = redirect !== null || (response.ok && body !== null && !rejection);
  if (isAccepted) await readPageAgain();
  const outcome = isAccepted ? "accepted." : `not accepted${rejection ? `: ${rejection}` : "."}`;
  connectionNotice.tellOutcome(
    error || answer?.text || leftMessage || `The form that you left was ${outcome}`,
  );
}

/** Reads the page shown again, with a message if one is named. */
async function readPageAgain(flash?: string): Promise<void> {
  const { location } = await new Promise<NonNullable<ReturnType<typeof routerState>>>(whenIdle);
  const params = new URLSearchParams(location.search);
  if (flash) params.set(flashParam, flash);
  await reloadData(location, params.size > 0 ? `?${params}` : "");
}
