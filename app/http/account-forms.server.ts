/** Forms for people who are not signed in: a message at the top, and the fields as they were. */
import { json, type ActionFunctionArgs } from "@remix-run/node";
import { DomainError, statusOfReason } from "../errors";
import { setPasswordByLink } from "../features/sign-in/account-links.server";
import { paths } from "../paths";
import { requireSignedOut } from "./guards.server";
import { leaveMailedLink, mailedLink } from "./mailed-link.server";
import type { RouteArgs } from "./sessions.server";

export type AccountAnswer = {
  /** About the form as a whole. */
  refusal?: string;
  errors?: Record<string, string>;
  /** Fields as they were typed, without passwords. */
  values?: Record<string, string>;
};

/** Returns the origin of a request, for limits, the audit log and notices. */
export function originOf({ context }: RouteArgs) {
  const { requestId, clientAddress: address, userAgent } = context;
  return { requestId, address, userAgent };
}

/** Answers what a domain function refused; other errors are thrown on. */
export function refuse(cause: unknown, values: Record<string, string> = {}) {
  if (!(cause instanceof DomainError)) throw cause;
  const { message, fields, reason } = cause;
  const hasFields = Object.keys(fields).length > 0;
  return json<AccountAnswer>(
    hasFields ? { errors: fields, values } : { refusal: message, values },
    {
      status: statusOfReason[reason],
    },
  );
}

/** Builds the action of a page that sets the password a link was mailed for. */
export async function savePassword(
  args: ActionFunctionArgs,
  kind: "password_reset" | "invitation",
  notice: string,
) {
  await requireSignedOut(args);
  const posted = await args.request.formData();
  const link = await mailedLink(args, kind);
  const text = (name: string) => String(posted.get(name) ?? "");
  const input = { newPassword: text("newPassword"), confirmPassword: text("confirmPassword") };
  try {
    await setPasswordByLink(kind, link?.secret ?? "", input, originOf(args));
  } catch (cause) {
    return refuse(cause);
  }
  return leaveMailedLink(kind, paths.loginWith(notice));
}
