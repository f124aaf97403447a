import { getKey, revokeKey } from "../../features/integrations/integrations.server";
import { pageSearch } from "../../lists/list-params";
import { confirmRoute } from "../../http/confirm-route.server";
import { requireAdmin } from "../../http/guards.server";
import { paths } from "../../paths";

const { loader, action } = confirmRoute({
  guard: requireAdmin,
  async ask({ params }) {
    const { integrationId, integrationName, name } = await getKey(params);
    return {
      title: "Confirm revocation",
      question: `Revoke the key ${name}?`,
      consequences: [`"${integrationName}" can no longer use this key. This can't be undone.`],
      verb: "Revoke key",
      pendingVerb: "Revoking...",
      isDangerous: true,
      closeTo: paths.integration(integrationId),
      failure: "Error revoking key",
    };
  },
  async run({ params: { integrationId = "", keyId = "" }, request, options }) {
    const { changed } = await revokeKey(integrationId, keyId, options);
    const to = paths.integration(integrationId) + pageSearch(new URL(request.url).searchParams);
    return changed
      ? { to, text: "Key successfully revoked" }
      : { to, kind: "info", text: "This key is already revoked." };
  },
});
export { action, loader };

export const handle = { crumbs: { revoke: "Revoke key" } };

export { clientAction, meta, ConfirmRoute as default } from "../../ui/modal/confirm-dialog";
