import {
  Outlet,
  useActionData,
  useLoaderData,
  useLocation,
  type ClientActionFunctionArgs,
} from "@remix-run/react";
import { History } from "../../features/activity/history";
import { pageMeta } from "../../forms/page-meta";
import { keepForm, wholeFormError } from "../../forms/validator";
import { screenLoader } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { paths } from "../../paths";
import { ButtonLink } from "../../ui/form/button";
import { parts } from "../../ui/layout/layout.css";
import { Page } from "../../ui/layout/page";
import { DialogLink, keepUnderDialogs } from "../../ui/overlay/dialog-route";
import { ListNotes } from "../../ui/table/list-notes";
import { AssignedTo, EditGroup, GroupFacts } from "./group-details";
import { AddMachines, Members } from "./group-machines";
import { pageAction, type PageAnswer, readPage } from "./page.server";

export const meta = pageMeta<{ group: { name: string } }>(
  (page) => `${page?.group.name ?? "Machine group"} - Machine groups`,
);

export const handle = {
  nameOf: (data: { group: { name: string } }) => data.group.name,
  hasTable: (data: { members?: { total: number } }) => (data.members?.total ?? 0) > 0,
};

export const loader = screenLoader(requireUser, readPage);

export const action = pageAction;

const keepGroupForm = keepForm("Error changing machine group");

/** The list of members is no form of the library: it shows its own message. */
export async function clientAction(args: ClientActionFunctionArgs) {
  const members = (await args.request.clone().formData()).getAll("members");
  const answer = await keepGroupForm(args);
  if (members.length === 0 || !("fieldErrors" in answer)) return answer;
  const { [wholeFormError]: removal } = answer.fieldErrors as Record<string, string>;
  return removal === undefined ? answer : { removal, ticked: members };
}

export const shouldRevalidate = keepUnderDialogs();

export default function GroupPage() {
  const page = useLoaderData<typeof loader>();
  const answer = useActionData<PageAnswer>();
  const { group, members, pickers, assignments, history } = page;
  const { search } = useLocation();
  return (
    <Page
      title={group.name}
      actions={
        <>
          <DialogLink
            id="delete-group"
            to={`${paths.machineGroupDeletion(group.id)}${search}`}
            icon="trash"
          >
            Delete
          </DialogLink>
          <ButtonLink to={paths.machineGroups} variant="quiet">
            All groups
          </ButtonLink>
        </>
      }
    >
      <Outlet />
      <ListNotes list={page} />
      <div className={parts}>
        <GroupFacts group={group} />
        <AddMachines key={group.id} pickers={pickers} answer={answer} />
        <Members members={members} answer={answer} />
        <AssignedTo group={group} assignments={assignments} />
        <EditGroup key={`edit-${group.id}`} group={group} answer={answer} />
        <History entries={history} />
      </div>
    </Page>
  );
}
