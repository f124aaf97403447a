// Without script: the same.
import { paths } from "../../paths";
import { LinkTabs } from "../../ui/layout/page";

export function SignUpTabs() {
  return (
    <LinkTabs
      label="Sign in or sign up"
      tabs={[
        { to: paths.login, label: "Login" },
        { to: paths.signUp, label: "New User" },
      ]}
    />
  );
}
