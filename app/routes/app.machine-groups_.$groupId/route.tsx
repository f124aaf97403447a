import {
  Outlet,
  useLoaderData,
  useLocation,
  type ClientActionFunctionArgs,
} from "@remix-run/react";
import { History } from "../../features/activity/history";
import { useCanEdit } from "../../features/sign-in/viewer";
import { pageMeta } from "../../forms/page-meta";
import { rerenderForm, wholeFormError } from "../../forms/validator";
import { formLoader } from "../../http/form-action.server";
import { requireUser } from "../../http/guards.server";
import { paths } from "../../paths";
import { DetailColumns } from "../../ui/layout/detail";
import { Page } from "../../ui/layout/page";
import { DialogLink, ignoreDialogs } from "../../ui/overlay/dialog-route";
import { ListNotes } from "../../ui/table/list-notes";
import { AssignedTo, GroupFacts } from "./group-details";
import { AddMachines, AddMachinesLink, useIsAdding } from "./add-machines";
import { Members } from "./group-members";
import { pageAction, readPage } from "./page.server";

export const meta = pageMeta();

export const handle = {
  nameOf: (data: { group: { name: string } }) => data.group.name,
  hasTable: (data: { members?: { total: number } }) => (data.members?.total ?? 0) > 0,
};

export const loader = formLoader(requireUser, readPage);

export const action = pageAction;

const rerenderGroupForm = rerenderForm("Error changing machine group");

/** The list of members is no form of the library: it shows its own message. */
export async function clientAction(args: ClientActionFunctionArgs) {
  const members = (await args.request.clone().formData()).getAll("members");
  const answer = await rerenderGroupForm(args);
  if (members.length === 0 || !("fieldErrors" in answer)) return answer;
  const { [wholeFormError]: removal } = answer.fieldErrors as Record<string, string>;
  return removal === undefined ? answer : { removal, ticked: members };
}

export const shouldRevalidate = ignoreDialogs();

export default function GroupPage() {
  const page = useLoaderData<typeof loader>();
  const { group, members, pickers, assignments, history } = page;
  const isEmpty = members.total === 0 && members.query.search === "";
  const isAdding = useIsAdding();
  const isEditor = useCanEdit();
  const { search } = useLocation();
  return (
    <Page
      title={group.name}
      actions={
        isEditor && (
          <>
            <DialogLink
              id="delete-group"
              to={`${paths.machineGroupDeletion(group.id)}${search}`}
              icon="trash"
            >
              Delete
            </DialogLink>
            {!isAdding && !isEmpty && <AddMachinesLink />}
          </>
        )
      }
    >
      <Outlet />
      <ListNotes list={page} />
      <DetailColumns aside={<GroupFacts group={group} />}>
        {isEditor && isAdding && <AddMachines key={group.id} pickers={pickers} />}
        <Members members={members} />
        <AssignedTo group={group} assignments={assignments} />
        <History entries={history} />
      </DetailColumns>
    </Page>
  );
}
