import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { greetingName } from "../features/users/user";
import { formMeta } from "../forms/form-meta";
import { requireUser } from "../http/guards.server";
import { facts, person } from "../ui/layout/layout.css";
import { Avatar, Card, Page } from "../ui/layout/page";

export const meta = formMeta("Profile");

export async function loader(args: LoaderFunctionArgs) {
  const { user } = await requireUser(args);
  return { user };
}

export default function Profile() {
  const { user } = useLoaderData<typeof loader>();
  const name = `${user.firstName} ${user.lastName}`.trim() || greetingName(user);
  return (
    <Page title="Profile">
      <Card className={person}>
        <Avatar isLarge />
        <dl className={facts}>
          <dt>Name</dt>
          <dd>{name}</dd>
          <dt>Email</dt>
          <dd>{user.email}</dd>
          <dt>Role</dt>
          <dd>{user.role === "admin" ? "Admin" : "User"}</dd>
        </dl>
      </Card>
    </Page>
  );
}
