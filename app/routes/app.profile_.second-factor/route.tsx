// Without script: the same. The codes are shown once, in the answer to the form that made them.
import { Outlet, useLoaderData } from "@remix-run/react";
import {
  confirmSecondFactor,
  hasAuthenticatorApp,
  hasSecondFactor,
  isSecondFactorRequired,
  renewRecoveryCodes,
  setUpSecondFactor,
} from "../../features/second-factor/second-factor.server";
import { countRecoveryCodes } from "../../features/second-factor/recovery-codes.server";
import { codeValidator } from "../../features/second-factor/second-factor-forms";
import { RecoveryCodes } from "../../features/second-factor/recovery-codes";
import type { Passkey } from "../../features/second-factor/passkey";
import { listPasskeys } from "../../features/second-factor/passkeys.server";
import { siteTimeZone } from "../../db/site.server";
import { formatDateTime } from "../../format/date";
import { pageMeta } from "../../forms/page-meta";
import { rerenderForm } from "../../forms/validator";
import { countOf } from "../../format/number";
import {
  checked,
  confirmed,
  formLoader,
  formsAction,
  showOnce,
} from "../../http/form-action.server";
import { requireUserBeforeSetUp } from "../../http/guards.server";
import { Badge } from "../../ui/feedback/badge";
import { useNewSecret } from "../../ui/form/new-secret";
import { parts } from "../../ui/layout/layout.css";
import { Page } from "../../ui/layout/page";
import { Passkeys, SetUp, TurnedOn } from "./second-factor";

export const meta = pageMeta();

export const loader = formLoader(requireUserBeforeSetUp, async (_args, { user }) => {
  const isRequired = isSecondFactorRequired(user.role);
  // Asked again, because the session was read before the form of the same request.
  const [isOn, hasApp] = [await hasSecondFactor(user.id), await hasAuthenticatorApp(user.id)];
  return {
    isRequired,
    isOn,
    setUp: hasApp ? null : { secret: inGroups((await setUpSecondFactor(user)).secret) },
    recoveryCodes: isOn ? countOf(await countRecoveryCodes(user.id), "recovery code") : "",
    passkeys: (await listPasskeys(user.id)).map(toPasskeyView),
  };
});

const inGroups = (secret: string) => secret.match(/.{1,4}/g)!.join(" ");

function toPasskeyView({ id, name, createdAt, lastUsedAt }: Passkey) {
  const format = (timestamp: Date) => formatDateTime(timestamp, siteTimeZone());
  return {
    id,
    name,
    created: format(createdAt),
    lastUsed: lastUsedAt ? format(lastUsedAt) : "never",
  };
}

const show = (recoveryCodes: string[], done: string) =>
  showOnce({ recoveryCodes }, `${done}, but your recovery codes were not shown. Create new ones.`);

export const action = formsAction({
  guard: requireUserBeforeSetUp,
  secrets: ["code"],
  forms: {
    confirm: checked(
      codeValidator,
      confirmed(async ({ code }, post) => {
        const codes = await confirmSecondFactor(post.session.user, code, post.options);
        return show(codes, "Two-step verification is on");
      }),
    ),
    renew: confirmed(async (post) => {
      const codes = await renewRecoveryCodes(post.session.user.id, post.options);
      return show(codes, "The old recovery codes no longer work");
    }),
  },
});

export const clientAction = rerenderForm("Error changing two-step verification");

export default function SecondFactor() {
  const data = useLoaderData<typeof loader>();
  const recoveryCodes = useNewSecret("recoveryCodes");
  return (
    <Page
      title="Two-step verification"
      beside={data.isOn ? <Badge tone="ok">On</Badge> : <Badge tone="off">Off</Badge>}
    >
      <Outlet />
      <div className={parts}>
        {recoveryCodes && <RecoveryCodes codes={recoveryCodes} />}
        {data.isOn && <TurnedOn {...data} />}
        {data.setUp && <SetUp {...data} setUp={data.setUp} />}
        <Passkeys {...data} />
      </div>
    </Page>
  );
}
