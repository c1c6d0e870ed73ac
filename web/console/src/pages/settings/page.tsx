import { useQuery } from '@tanstack/react-query';
import { Facts } from '../../components/facts.js';
import { Loaded } from '../../components/states/loaded.js';
import { Page } from '../../components/page/page.js';
import { Panel } from '../../components/page/panel.js';
import { meQuery } from '../../session/me.js';
import { useIsAllowed } from '../../session/rights.js';
import { useTexts } from '../../texts/texts.js';
import { AccountExport } from './account-export.js';
import { CallSharing } from './call-sharing.js';
import { ChatModelKey } from './chat-model-key.js';
import { DeleteAccount } from './delete-account.js';
import { PasswordForm } from './password-form.js';
import { RegionForm } from './region-form.js';
import { Sessions } from './sessions.js';
import { SpeechModelKeys } from './speech-model-keys.js';

export function SettingsPage() {
  const t = useTexts('settings');
  const me = useQuery(meQuery);
  const mayEnd = useIsAllowed('admin');
  return (
    <Page title={t.title} subtitle={t.subtitle}>
      <Panel title={t.profile.title}>
        <Loaded query={me} lines={2}>
          {({ name, email }) => (
            <Facts
              facts={[
                [t.profile.name, name],
                [t.profile.email, email],
              ]}
            />
          )}
        </Loaded>
      </Panel>
      <RegionForm />
      <PasswordForm />
      <Sessions />
      {mayEnd && (
        <>
          <CallSharing />
          <ChatModelKey />
          <SpeechModelKeys />
          <AccountExport />
          <DeleteAccount />
        </>
      )}
    </Page>
  );
}
