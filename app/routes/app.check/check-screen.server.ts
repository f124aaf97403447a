import { siteTimeZone } from "../../db/site.server";
import { environment } from "../../env.server";
import { suggestMachines } from "../../features/machines/list-machines.server";
import { getPromotionDetails } from "../../features/promotions/form/promotion-details.server";
import { promotionHistory } from "../../features/activity/history.server";
import { checkCode, findSimilarCodes } from "../../features/redemptions/check-code.server";
import { codeActivity } from "../../features/redemptions/activity.server";
import { parseFilters, textFilter } from "../../forms/list";
import { findCode, noCodeMessage } from "../../forms/typed-code";
import { formatCode } from "../../format/promotion";
import { toAnswerView, toVerdictView } from "./answer-view";

/** Result of a check; null before one was requested. */
export type Answer = Awaited<ReturnType<typeof answerTo>>;

/** @param params `code` as it was typed or scanned, `machine` a serial number or '' */
export async function readCheckScreen(params: URLSearchParams) {
  const { filters, errors } = parseFilters({ machine: textFilter("machine", "Machine") }, params);
  const typed = { code: params.get("code") ?? "", machine: params.get("machine") ?? "" };
  const [answer, machines] = await Promise.all([
    typed.code.trim() === "" ? null : answerTo(typed.code, filters.machine),
    suggestMachines(),
  ]);
  return { typed, answer, machines, machineError: errors.machine ?? null };
}

async function answerTo(text: string, serialNumber: string) {
  const code = findCode(text, environment().qrPayload);
  if (code === null) {
    const similar = await findSimilarCodes(text.slice(0, 50));
    return { kind: "no_code" as const, title: noCodeMessage(text), ...looksLike(similar) };
  }
  const check = await checkCode({ code, serialNumber });
  const verdict = toVerdictView(check, serialNumber);
  if (check.promotion === null) {
    const similar = await findSimilarCodes(code);
    const title = `There is no code ${formatCode(code)}`;
    return { kind: "unknown" as const, title, verdict, ...looksLike(similar) };
  }
  const timeZone = siteTimeZone();
  const { promotion } = check;
  const [details, activity, history] = await Promise.all([
    getPromotionDetails(promotion.id),
    codeActivity(promotion.id, timeZone),
    promotionHistory(promotion, timeZone),
  ]);
  const words = toAnswerView({ ...details, promotion }, timeZone);
  const title = verdict?.sentence ?? `${words.code} is ${words.statusWord.toLowerCase()}`;
  return { kind: "found" as const, title, verdict, words, activity, history };
}

function looksLike(codes: string[]) {
  return { similar: codes.map(formatCode) };
}
