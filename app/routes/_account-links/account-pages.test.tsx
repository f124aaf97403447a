import type { ComponentType } from "react";
import { renderToString } from "react-dom/server";
import {
  createStaticHandler,
  createStaticRouter,
  StaticRouterProvider,
  type StaticHandlerContext,
} from "react-router-dom/server";
import { describe, expect, it } from "vitest";
import Invitation from "../invitation/page.static";
import PasswordReset from "../password-reset/page.static";
import type { AccountAnswer } from "./mailed-link.server";

/** Renders a page as the answer to its form. */
async function answerOf(
  Component: ComponentType,
  link: { email: string | null; hasEnded: boolean },
  answer: AccountAnswer,
): Promise<string> {
  const route = { id: "page", path: "/", Component, loader: () => link, action: () => answer };
  const { query, dataRoutes } = createStaticHandler([route]);
  const request = new Request("http://localhost/", { method: "POST", body: new FormData() });
  const context = (await query(request)) as StaticHandlerContext;
  const router = createStaticRouter(dataRoutes, context);
  return renderToString(<StaticRouterProvider router={router} context={context} />);
}

describe.each([
  ["an invitation", Invitation],
  ["a link for a new password", PasswordReset],
])("the page of %s", (_name, page) => {
  const busy = { rejection: "Too many people are signing in. Please try again." };

  it("keeps its form when the server is busy", async () => {
    const markup = await answerOf(page, { email: "ada@example.com", hasEnded: false }, busy);
    expect(markup).toContain(busy.rejection);
    expect(markup).toContain("Save Password");
  });

  it("has no form any more when the link was used up", async () => {
    const ended = { rejection: "This link was already used or has expired." };
    const markup = await answerOf(page, { email: null, hasEnded: true }, ended);
    expect(markup).toContain("This link was already used or has expired.");
    expect(markup).not.toContain("Save Password");
  });
});
