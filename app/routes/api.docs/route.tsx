import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import { environment } from "../../env.server";
import { canEdit } from "../../features/sign-in/user";
import { pageMeta } from "../../forms/page-meta";
import { allowAnyone } from "../../http/guards.server";
import { errorMeanings } from "../../http/openapi.server";
import { currentSession } from "../../http/sessions.server";
import { paths } from "../../paths";
import { callAt } from "../_api-docs/calls.server";
import { DocsPage, docsHandle } from "../_api-docs/docs-page";
import {
  contents,
  Errors,
  Limits,
  Programs,
  Redeem,
  Refusals,
  Retries,
  Rollback,
  Start,
  Values,
} from "./guide";

export const handle = docsHandle;

export const meta = pageMeta("HTTP API");

export async function loader(args: LoaderFunctionArgs) {
  await allowAnyone(args);
  const user = (await currentSession(args))?.user;
  return {
    origin: environment().appOrigin,
    isAdmin: user?.role === "admin",
    hasApiKey: !user || canEdit(user),
    timeZone: siteTimeZone(),
    redeem: callAt("POST", "/api/redemptions"),
    errors: Object.entries(errorMeanings),
  };
}

export default function Docs() {
  const { origin, isAdmin, hasApiKey, timeZone, redeem, errors } = useLoaderData<typeof loader>();
  return (
    <DocsPage title="HTTP API" current={paths.apiDocs} contents={contents}>
      <Start origin={origin} isAdmin={isAdmin} hasApiKey={hasApiKey} />
      <Values timeZone={timeZone} />
      <Redeem origin={origin} call={redeem} />
      <Refusals />
      <Retries />
      <Rollback origin={origin} />
      <Limits />
      <Errors rows={errors} />
      <Programs origin={origin} />
    </DocsPage>
  );
}
