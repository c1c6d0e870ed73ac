import { Tabs, Tooltip } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AssistantResponse } from '#client/types.gen.js';
import { Editable } from '../../../components/if-allowed.js';
import { useTexts } from '../../../texts/texts.js';
import { lazyNamed } from '../../../components/states/lazy-named.js';
import { AbilitiesTab } from './tabs/abilities-tab.js';
import { CallsTab } from './tabs/calls-tab.js';
import { ConversationTab } from './tabs/conversation-tab.js';
import { VoiceTab } from './tabs/voice-tab.js';
import classes from './editor.module.css';
import { isTab, type Tab, TABS } from './tabs.js';

const SiteTab = lazyNamed(async () => (await import('./tabs/site-tab.js')).SiteTab);

const route = getRouteApi('/shell/assistants/$id');

interface Props {
  readonly assistant: AssistantResponse;
  /** Stays in sight above the names of the tabs. */
  readonly header: ReactNode;
  /** Where fields are wrong. */
  readonly problems: ReadonlySet<Tab>;
}

export function EditorTabs({ assistant, header, problems }: Props) {
  const t = useTexts('assistants').editor;
  const { tab = 'conversation' } = route.useSearch();
  const navigate = route.useNavigate();
  const change = (next: string | null) => {
    if (isTab(next)) void navigate({ search: { tab: next }, replace: true });
  };
  return (
    <Tabs value={tab} onChange={change} className={classes.tabs} keepMounted={false}>
      <div className={classes.top}>
        {header}
        <Tabs.List className={classes.list}>
          {TABS.map((name) => (
            <Tabs.Tab
              key={name}
              value={name}
              rightSection={
                problems.has(name) && (
                  <Tooltip label={t.tabWithProblems(t.tabs[name])}>
                    <span
                      className={classes.problem}
                      role="img"
                      aria-label={t.tabWithProblems(t.tabs[name])}
                    />
                  </Tooltip>
                )
              }
            >
              {t.tabs[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </div>
      <Editable scope="admin">
        <Tabs.Panel value="conversation">
          <ConversationTab />
        </Tabs.Panel>
        <Tabs.Panel value="voice">
          <VoiceTab />
        </Tabs.Panel>
        <Tabs.Panel value="calls">
          <CallsTab assistant={assistant} />
        </Tabs.Panel>
        <Tabs.Panel value="abilities">
          <AbilitiesTab assistant={assistant} />
        </Tabs.Panel>
        <Tabs.Panel value="site">
          <SiteTab assistant={assistant} />
        </Tabs.Panel>
      </Editable>
    </Tabs>
  );
}
