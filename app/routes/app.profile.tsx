import { useLoaderData } from "@remix-run/react";
import { greetingName } from "../features/users/user";
import { pageMeta } from "../forms/page-meta";
import { screenLoader } from "../http/answers.server";
import { requireUser } from "../http/guards.server";
import { person } from "../ui/layout/layout.css";
import { Avatar, Card, FactList, Page } from "../ui/layout/page";

export const meta = pageMeta("Profile");

export const loader = screenLoader(requireUser, async (args, { user }) => ({ user }));

export default function Profile() {
  const { user } = useLoaderData<typeof loader>();
  const name = `${user.firstName} ${user.lastName}`.trim() || greetingName(user);
  return (
    <Page title="Profile">
      <Card className={person}>
        <Avatar isLarge />
        <FactList
          facts={[
            ["Name", name],
            ["Email", user.email],
            ["Role", user.role === "admin" ? "Admin" : "User"],
          ]}
        />
      </Card>
    </Page>
  );
}
