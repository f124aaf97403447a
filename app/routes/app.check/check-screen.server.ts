import { reachedMessages } from "../../features/caps/cap";
import type { LoaderFunctionArgs } from "@remix-run/node";
import { siteTimeZone } from "../../db/site.server";
import { environment } from "../../env.server";
import type { Session } from "../../http/sessions.server";
import { promotionHistory } from "../../features/activity/audit-log.server";
import { toAssignedView } from "../../features/assignments/assigned-machines";
import type { MachineChoice } from "../../features/machines/machine";
import {
  findMachines,
  maxMachineMatches,
  suggestMachines,
} from "../../features/machines/machines.server";
import {
  describeDiscount,
  describeRenewal,
  describeValidity,
  statusLabels,
  statusReason,
  toPromotionView,
} from "../../features/promotions/promotion-view";
import type { Promotion, PromotionStatus } from "../../features/promotions/promotion";
import { describeSchedule, toCampaignTimes } from "../../features/promotions/schedule";
import { getPromotionDetails } from "../../features/promotions/promotions.server";
import {
  checkCode,
  findSimilarCodes,
  type CodeCheck,
} from "../../features/redemptions/check-code.server";
import { codeActivity } from "../../features/redemptions/activity.server";
import { refusalMessages } from "../../features/redemptions/refusal-reason";
import { isTestCode } from "../../features/test-mode/test-codes.server";
import { canEdit, type Reader } from "../../features/sign-in/user";
import { textFilter } from "../../lists/list";
import { parseFilters } from "../../lists/parse-list";
import { findCode, findCodeEnd, misreadMessage, noCodeMessage } from "../../forms/code-input";
import { formatCode } from "../../format/promotion";
import type { MessageKind } from "../../ui/feedback/message-block";
import { findFixes } from "./fixes.server";

export type Answer = Awaited<ReturnType<typeof answerFor>>;

/** Reads `code` as it was typed or scanned, and `machine`: a serial number, a name or a part of one, or ''. */
export async function readCheckScreen({ request }: LoaderFunctionArgs, session: Session) {
  const params = new URL(request.url).searchParams;
  const { filters, errors } = parseFilters({ machine: textFilter("machine", "Machine") }, params);
  const input = { code: params.get("code") ?? "", machine: params.get("machine") ?? "" };
  const { serialNumber, ...choice } = await chooseMachine(filters.machine);
  const [answer, machines] = await Promise.all([
    input.code.trim() === "" ? null : answerFor(input.code, serialNumber, session),
    suggestMachines(),
  ]);
  const machineError = errors.machine ?? choice.machineError;
  return { input, answer, machines, ...choice, machineError };
}

/** Finds the machine that is meant. Where several may be, the code is checked without one, and they are the choices. */
async function chooseMachine(
  text: string,
): Promise<{ serialNumber: string; choices: MachineChoice[]; machineError: string | null }> {
  const matches = text === "" ? [] : await findMachines(text);
  const [first] = matches;
  const none = { serialNumber: "", choices: [], machineError: null };
  if (matches.length < 2) {
    // A serial number in the other case is another one (RULES M8), about which the answer asks.
    const isSame = !first || first.serialNumber.toLowerCase() === text.toLowerCase();
    return { ...none, serialNumber: isSame ? text : first.serialNumber };
  }
  if (matches.length <= maxMachineMatches) return { ...none, choices: matches };
  const machineError = `More than ${maxMachineMatches} machines have this in their name. Enter more of it.`;
  return { ...none, machineError };
}

async function answerFor(text: string, serialNumber: string, { actor, user }: Session) {
  const enteredCode = findCode(text, environment().qrPayload);
  if (enteredCode === null) {
    const codeError = noCodeMessage(text);
    const noCode = await noSuchCode(user, text.slice(0, 50), codeError);
    return { ...noCode, codeError, codeEnd: findCodeEnd(text) };
  }
  const check = await checkCode({ code: enteredCode, serialNumber });
  const { promotion } = check;
  const verdict = toVerdictView(check, serialNumber);
  if (promotion === null) {
    if (canEdit(user) && (await isTestCode(enteredCode)))
      return noSuchCode(user, enteredCode, `${formatCode(enteredCode)} is a test code`, [
        "Only test keys redeem it. No machine with a real key does.",
      ]);
    const compare =
      misreadMessage(enteredCode) ?? "Compare it with the printed code, character by character.";
    const title = `The code ${formatCode(enteredCode)} does not exist`;
    return noSuchCode(user, enteredCode, title, [verdict?.text ?? compare, verdict?.hint]);
  }
  const timeZone = siteTimeZone();
  const [details, activity, history] = await Promise.all([
    getPromotionDetails(promotion.id),
    codeActivity(promotion.id),
    promotionHistory(promotion, { hasCodes: canEdit(user) }),
  ]);
  const reason = reasonAnywhere(promotion, check.cap, details.effective.count);
  const remedy = canEdit(user)
    ? await findFixes({
        details,
        machine: check.machine,
        actor,
        isAdmin: user.role === "admin",
        reason: check.verdict === "accepted" ? "active" : (check.verdict ?? reason),
      })
    : [];
  const note = typeof remedy === "string" ? remedy : null;
  const statusLabel = statusLabels[promotion.status];
  const reached = reason === "cap_reached" && reachedMessages[check.cap!];
  const statusText = `${statusLabel}. ${reached || statusReason(promotion, details, timeZone)}`;
  const code = {
    ...toPromotionView(promotion, timeZone, user),
    // The person who asks has entered it.
    code: formatCode(enteredCode),
    discount: describeDiscount(promotion),
    validity: describeValidity(promotion.expiresAt, timeZone),
    hours: describeSchedule(toCampaignTimes(promotion.times).schedule, timeZone),
    /** Left out where the message or the number of machines says the same. */
    statusText: verdict && !["active", "cap_reached"].includes(reason) ? statusText : null,
    renews: describeRenewal(promotion.renewsAt, timeZone),
    assigned: toAssignedView(details, promotion.status === "active"),
    activity,
    history,
    fixes: typeof remedy === "string" ? [] : remedy,
  };
  const kind: MessageKind = reason === "active" ? "info" : "warning";
  const title = `${code.code} is ${statusLabel.toLowerCase()}`;
  const message = verdict
    ? { ...verdict, title: verdict.text, notes: [verdict.machine, verdict.hint, note] }
    : { kind, text: statusText, title, notes: [note] };
  return { ...message, similar: [] as string[], codeError: null, codeEnd: null, code };
}

/** Returns why all machines refuse a code now, in the order of redemptions; its status if some accept it. */
function reasonAnywhere(
  { status, times }: Promotion,
  cap: CodeCheck["cap"],
  numberOfMachines: number,
): PromotionStatus | "outside_hours" | "cap_reached" {
  if (status !== "active") return status;
  if (numberOfMachines === 0) return "not_assigned";
  if (times?.isOpen === false) return "outside_hours";
  return cap === null ? "active" : "cap_reached";
}

async function noSuchCode(
  reader: Reader,
  needle: string,
  title: string,
  notes: (string | null | undefined)[] = [],
) {
  const similar = canEdit(reader) ? (await findSimilarCodes(needle)).map(formatCode) : [];
  const none = { codeError: null, codeEnd: null, code: null };
  return { kind: "error" as const, title, text: title, notes, similar, ...none };
}

/** Begins a sentence in lower case, to follow a colon. */
function asClause(message: string): string {
  return message[0]!.toLowerCase() + message.slice(1);
}

/** Returns what the machine would answer now, or null when none was named. */
function toVerdictView(
  { verdict, cap, machine, similarSerial }: CodeCheck,
  requestedSerial: string,
) {
  if (verdict === null) return null;
  const serialNumber = machine?.serialNumber ?? requestedSerial;
  const isAccepted = verdict === "accepted";
  const kind: MessageKind = isAccepted ? "success" : "error";
  return {
    kind,
    text: isAccepted
      ? `Would be accepted at ${serialNumber} now`
      : `Would be refused at ${serialNumber} now: ${asClause(verdict === "cap_reached" ? reachedMessages[cap!] : refusalMessages[verdict])}`,
    machine: machine && `${machine.humanName}${machine.isDeleted ? " (marked as deleted)" : ""}`,
    /** Suggests another machine when none has the serial number. */
    hint:
      similarSerial &&
      `No machine has the serial number ${requestedSerial}. Did you mean ${similarSerial}?`,
  };
}
