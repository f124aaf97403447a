import { Authenticator } from "remix-auth";
import { FormStrategy } from "remix-auth-form";
import { signIn } from "../features/users/sign-in.server";
import type { User } from "../features/users/user";
import type { RouteArgs } from "./sessions.server";

/**
 * Who the posted email and password belong to. A strategy knows only its Request, and the limits
 * need the client's address: so the authenticator is made for each request.
 * @throws SignInRefused, DomainError 'unavailable'
 */
export function authenticateForm({ request, context }: RouteArgs): Promise<User> {
  const authenticator = new Authenticator<User>();
  authenticator.use(
    new FormStrategy(async ({ form }) =>
      signIn({
        email: text(form.get("email")),
        password: text(form.get("password")),
        clientAddress: context.clientAddress,
      }),
    ),
  );
  return authenticator.authenticate("form", request.clone());
}

function text(value: FormDataEntryValue | null): string {
  return typeof value === "string" ? value : "";
}
