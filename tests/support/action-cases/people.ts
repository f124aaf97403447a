import { db } from "../../../app/db/connection.server";
import { regenerateApiKey } from "../../../app/features/sign-in/api-key.server";
import type { PasskeyRequest } from "../../../app/features/second-factor/passkey";
import { passkeyRequestOf } from "../authenticator";
import { addUser, openSession, password } from "../server";
import {
  audited,
  browserOnly,
  byNewUser,
  email,
  nothingYet,
  post,
  unaudited,
  unsigned,
  type ActionCasesOfScreens,
  type Walker,
} from "./walk";

const twice = {
  newPassword: "seven grey herons landing",
  confirmPassword: "seven grey herons landing",
};
const names = { firstName: "Ada", lastName: "Lovelace" };

/** Uploads a photo, and returns its id. */
async function uploadedPhoto({ server, photo }: Walker, cookie: string): Promise<string> {
  const upload = await photo("photo", { intent: "upload-photo" });
  await server.send("/app/user/edit/profile", { method: "POST", cookie, ...upload });
  const [id] = await db()("avatars").orderBy("created_at", "desc").limit(1).pluck<string[]>("id");
  return id!;
}

/** Actions of people: signing in, their own account, and users as admins manage them. */
export const peopleActionCases: ActionCasesOfScreens = {
  "routes/login": {
    "": audited("user.signed_in", async () => {
      const user = await addUser(email());
      return unsigned("/login", { email: user.email, password });
    }),
    code: audited("user.signed_in", async (walker) => {
      const user = await addUser(email());
      const app = await walker.withApp(user);
      const cookie = await walker.secondStep(user.email);
      return { ...post("/login", { intent: "code", code: app.code() }), cookie };
    }),
    "code: a recovery code": audited(
      ["user.recovery_code_used", "user.signed_in"],
      async (walker) => {
        const user = await addUser(email());
        const { recoveryCodes } = await walker.withApp(user);
        const cookie = await walker.secondStep(user.email);
        return { ...post("/login", { intent: "code", code: recoveryCodes[0]! }), cookie };
      },
    ),
    "ask-passkey": unaudited(nothingYet, async () => unsigned("/login", { intent: "ask-passkey" })),
    back: unaudited("It shows the sign-in page again.", async () =>
      unsigned("/login", { intent: "back" }),
    ),
    passkey: audited("user.signed_in", async (walker) => {
      const { id } = await addUser(email());
      const { cookie } = await walker.session(id);
      const { authenticator, add } = await walker.passkey(cookie);
      await walker.post("/app/profile/second-factor/passkey", cookie, add);
      const asked = await walker.post("/login", "", { intent: "ask-passkey" });
      const credential = authenticator.get(passkeyRequestOf<PasskeyRequest>(asked.body));
      return unsigned("/login", { intent: "passkey", credential });
    }),
  },
  "routes/invitation": {
    save: audited("user.password_chosen", async ({ person, link }) => {
      const { id } = await person("user", { password_hash: null });
      return {
        ...post("/invitation", { intent: "save", ...twice }),
        cookie: await link("invitation", id),
      };
    }),
  },
  "routes/password-reset": {
    send: unaudited("Nobody is signed in; the outbox holds the mail.", async ({ person }) => ({
      ...post("/password-reset", { intent: "send", email: (await person()).email }),
      cookie: "",
    })),
    save: audited("user.password_reset", async ({ person, link }) => {
      const { id } = await person();
      const cookie = await link("password_reset", id);
      return { ...post("/password-reset", { intent: "save", ...twice }), cookie };
    }),
  },
  "routes/signup": audited("user.signed_up", async () =>
    unsigned("/signup", { ...names, email: email(), ...twice }),
  ),
  "routes/verify-email": audited("user.email_verified", async ({ person, link }) => ({
    ...post("/verify-email"),
    cookie: await link("email_verification", (await person()).id),
  })),
  "routes/undo-email": audited("user.email_change_undone", async ({ person, undoLink }) => ({
    ...post("/undo-email"),
    cookie: await undoLink((await person()).id),
  })),
  "routes/logout": byNewUser("user.signed_out", "/logout"),
  "routes/preferences": unaudited(browserOnly, async () => post("/preferences", { mode: "dark" })),
  "routes/app.user.edit": byNewUser("user.profile_edited", "/app/user/edit", {
    firstName: "Ada",
    version: "1",
  }),
  "routes/app.user.edit_.profile": {
    "": byNewUser("user.profile_edited", "/app/user/edit/profile", {
      ...names,
      phone: "1",
      version: "1",
    }),
    "upload-photo": audited("user.photo_added", async ({ person, photo }) => ({
      to: "/app/user/edit/profile",
      cookie: (await person()).cookie,
      ...(await photo("photo", { intent: "upload-photo" })),
    })),
    "use-photo": audited("user.avatar_chosen", async (walker) => {
      const { cookie, id } = await walker.person();
      const photo = await uploadedPhoto(walker, cookie);
      await db()("users").where({ id }).update({ avatar_id: null });
      return { ...post("/app/user/edit/profile", { intent: "use-photo", id: photo }), cookie };
    }),
  },
  "routes/app.user.edit_.profile.delete.$photoId": audited("user.photo_deleted", async (walker) => {
    const { cookie } = await walker.person();
    const id = await uploadedPhoto(walker, cookie);
    return { ...post(`/app/user/edit/profile/delete/${id}`), cookie };
  }),
  "routes/app.user.edit_.password": audited("user.password_changed", async () => {
    const user = await addUser(email());
    const body = { currentPassword: password, ...twice };
    return { ...post("/app/user/edit/password", body), cookie: await openSession(user.id) };
  }),
  "routes/app.user.new": audited("user.created", async () =>
    post("/app/user/new", { ...names, phoneNumber: "", email: email(), role: "user" }),
  ),
  "routes/app.users.$userId.delete": audited("user.deleted", async ({ person }) =>
    post(`/app/users/${(await person()).id}/delete`),
  ),
  "routes/app.users_.$userId.edit": {
    save: audited("user.edited", async ({ person }) => {
      const { id, email } = await person();
      const body = { ...names, phoneNumber: "1", email, role: "admin", version: "1" };
      return post(`/app/users/${id}/edit`, { intent: "save", ...body });
    }),
    removeSecondFactor: audited("user.second_factor_removed", async ({ person, withApp }) => {
      const user = await person();
      await withApp(user);
      return post(`/app/users/${user.id}/edit`, { intent: "removeSecondFactor" });
    }),
    invite: audited("user.invited", async ({ person }) => {
      const { id } = await person("user", { password_hash: null });
      return post(`/app/users/${id}/edit`, { intent: "invite" });
    }),
  },
  "routes/app.profile": {
    "": byNewUser("user.profile_edited", "/app/profile", {
      ...names,
      phone: "1",
      company: "",
      version: "1",
    }),
    reveal: audited("user.api_key_revealed", async ({ person }) => {
      const { cookie, ...actor } = await person();
      await regenerateApiKey({ scopes: ["read"], days: 1 }, { actor });
      return { ...post("/app/profile", { intent: "reveal" }), cookie };
    }),
    "end-session": audited("user.session_ended", async ({ person, session }) => {
      const { cookie, id } = await person();
      const { publicId } = await session(id);
      return { ...post("/app/profile", { intent: "end-session", session: publicId }), cookie };
    }),
    "end-other-sessions": audited("user.other_sessions_ended", async ({ person, session }) => {
      const { cookie, id } = await person();
      await session(id);
      return { ...post("/app/profile", { intent: "end-other-sessions" }), cookie };
    }),
    "end-other-sessions: with API key and passkeys": audited(
      ["user.api_key_revoked", "user.passkeys_removed"],
      async (walker) => {
        const { cookie, ...actor } = await walker.person();
        await regenerateApiKey({ scopes: ["read"], days: 1 }, { actor });
        const { add } = await walker.passkey(cookie);
        await walker.post("/app/profile/second-factor/passkey", cookie, add);
        const ticks = { revokeKey: "true", removePasskeys: "true" };
        return { ...post("/app/profile", { intent: "end-other-sessions", ...ticks }), cookie };
      },
    ),
  },
  "routes/app.profile.api-key": {
    "": byNewUser("user.api_key_created", "/app/profile/api-key", {
      days: "30",
      scopes: "read",
    }),
    ": again": audited("user.api_key_regenerated", async ({ person }) => {
      const { cookie, ...actor } = await person();
      await regenerateApiKey({ scopes: ["read"], days: 1 }, { actor });
      return { ...post("/app/profile/api-key", { days: "30", scopes: "read" }), cookie };
    }),
  },
  "routes/app.profile.avatar": byNewUser("user.avatar_chosen", "/app/profile/avatar", {
    avatarIcon: "music",
  }),
  "routes/app.profile_.second-factor": {
    confirm: audited("user.second_factor_added", async ({ person, app }) => {
      const user = await person();
      const body = { intent: "confirm", code: (await app(user)).generate() };
      return { ...post("/app/profile/second-factor", body), cookie: user.cookie };
    }),
    renew: audited("user.recovery_codes_renewed", async ({ person, withApp }) => {
      const user = await person();
      await withApp(user);
      return { ...post("/app/profile/second-factor", { intent: "renew" }), cookie: user.cookie };
    }),
  },
  "routes/app.profile_.second-factor.remove.$passkeyId": audited(
    "user.passkey_removed",
    async (walker) => {
      const { cookie, id } = await walker.person();
      const { add } = await walker.passkey(cookie);
      await walker.post("/app/profile/second-factor/passkey", cookie, add);
      const [passkey] = await db()("passkeys").where({ user_id: id }).pluck<string[]>("id");
      return { ...post(`/app/profile/second-factor/remove/${passkey}`), cookie };
    },
  ),
  "routes/app.profile_.second-factor.turn-off": audited(
    "user.second_factor_removed",
    async ({ person, withApp }) => {
      const user = await person();
      await withApp(user);
      return { ...post("/app/profile/second-factor/turn-off"), cookie: user.cookie };
    },
  ),
  "routes/app.profile_.second-factor_.passkey": {
    start: unaudited(nothingYet, async ({ person }) => ({
      ...post("/app/profile/second-factor/passkey", { intent: "start", name: "Phone" }),
      cookie: (await person()).cookie,
    })),
    add: audited("user.passkey_added", async ({ person, passkey }) => {
      const { cookie } = await person();
      const { add } = await passkey(cookie);
      return { ...post("/app/profile/second-factor/passkey", add), cookie };
    }),
  },
};
