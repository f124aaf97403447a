import { siteTimeZone } from "../../db/site.server";
import { environment } from "../../env.server";
import { promotionHistory } from "../../features/activity/audit-log.server";
import { toAssignedView } from "../../features/assignments/assigned-machines";
import { suggestMachines } from "../../features/machines/machines.server";
import {
  describeRenewal,
  statusLabels,
  statusReason,
  toPromotionView,
} from "../../features/promotions/promotion-view";
import { getPromotionDetails } from "../../features/promotions/promotions.server";
import {
  checkCode,
  findSimilarCodes,
  type CodeCheck,
} from "../../features/redemptions/check-code.server";
import { codeActivity } from "../../features/redemptions/activity.server";
import { refusalMessage } from "../../features/redemptions/refusal-reason";
import { parseFilters, textFilter } from "../../forms/list";
import { findCode, noCodeMessage } from "../../forms/typed-code";
import { formatCode } from "../../format/promotion";

/** Result of a check; null before one was requested. */
export type Answer = Awaited<ReturnType<typeof answerFor>>;

/** @param params `code` as it was typed or scanned, `machine` a serial number or '' */
export async function readCheckScreen(params: URLSearchParams) {
  const { filters, errors } = parseFilters({ machine: textFilter("machine", "Machine") }, params);
  const typed = { code: params.get("code") ?? "", machine: params.get("machine") ?? "" };
  const [answer, machines] = await Promise.all([
    typed.code.trim() === "" ? null : answerFor(typed.code, filters.machine),
    suggestMachines(),
  ]);
  return { typed, answer, machines, machineError: errors.machine ?? null };
}

async function answerFor(text: string, serialNumber: string) {
  const code = findCode(text, environment().qrPayload);
  if (code === null) {
    const similar = await findSimilarCodes(text.slice(0, 50));
    return {
      kind: "no_code" as const,
      title: noCodeMessage(text),
      similar: similar.map(formatCode),
    };
  }
  const check = await checkCode({ code, serialNumber });
  const verdict = toVerdictView(check, serialNumber);
  if (check.promotion === null) {
    const similar = await findSimilarCodes(code);
    const title = `There is no code ${formatCode(code)}`;
    return { kind: "unknown" as const, title, verdict, similar: similar.map(formatCode) };
  }
  const timeZone = siteTimeZone();
  const { promotion } = check;
  const [details, activity, history] = await Promise.all([
    getPromotionDetails(promotion.id),
    codeActivity(promotion.id, timeZone),
    promotionHistory(promotion, timeZone),
  ]);
  const view = {
    ...toPromotionView(promotion, timeZone),
    statusLabel: statusLabels[promotion.status],
    reason: statusReason(promotion, details, timeZone),
    renews: describeRenewal(promotion.renewsAt, timeZone),
    assigned: toAssignedView(details),
  };
  const title = verdict?.message ?? `${view.code} is ${view.statusLabel.toLowerCase()}`;
  return { kind: "found" as const, title, verdict, view, activity, history };
}

/** Returns what the machine would answer now, or null when none was named. */
function toVerdictView({ verdict, machine, similarSerial }: CodeCheck, typedSerial: string) {
  if (verdict === null) return null;
  const serialNumber = machine?.serialNumber ?? typedSerial;
  const isAccepted = verdict === "accepted";
  return {
    isAccepted,
    message: isAccepted
      ? `Would be accepted at ${serialNumber} now`
      : `Would be refused at ${serialNumber} now: ${refusalMessage(verdict)}`,
    machine:
      machine && `${machine.humanName}${machine.isDeleted ? " (Deleted from SmartVend)" : ""}`,
    /** Suggests another machine when none has the serial number. */
    hint:
      similarSerial &&
      `No machine has the serial number ${typedSerial}. Did you mean ${similarSerial}?`,
  };
}
