import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { UserPlus, Users } from 'lucide-react';
import { useState } from 'react';
import { listMembers } from '#client/sdk.gen.js';
import { dataOf } from '../../api/client.js';
import { EmptyState } from '../../components/states/empty-state.js';
import { Loaded } from '../../components/states/loaded.js';
import { Page } from '../../components/page/page.js';
import { Panel } from '../../components/page/panel.js';
import { useTexts } from '../../texts/texts.js';
import { type Invited, InviteDialog } from './invite-dialog.js';
import { InvitationTable } from './invitation-table.js';
import { MemberTable } from './member-table.js';

export function MembersPage() {
  const t = useTexts('members');
  /** Email of the open invitation dialog; empty for a new person. */
  const [invited, setInvited] = useState<Partial<Invited> | null>(null);
  const query = useQuery({
    queryKey: ['members'],
    queryFn: ({ signal }) => dataOf(listMembers, { signal }),
  });
  const invite = (
    <Button leftSection={<UserPlus size={16} />} onClick={() => setInvited({})}>
      {t.invite}
    </Button>
  );
  return (
    <Page title={t.title} subtitle={t.subtitle} actions={invite}>
      <Loaded query={query}>
        {({ members, invitations }) => (
          <>
            {members.length + invitations.length === 0 && (
              <Panel flush>
                <EmptyState icon={Users} title={t.empty.title} action={invite}>
                  {t.empty.text}
                </EmptyState>
              </Panel>
            )}
            {members.length > 0 && <MemberTable members={members} />}
            {invitations.length > 0 && <InvitationTable invitations={invitations} onAgain={setInvited} />}
          </>
        )}
      </Loaded>
      {invited && <InviteDialog known={invited} onClose={() => setInvited(null)} />}
    </Page>
  );
}
