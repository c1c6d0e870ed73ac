import '@mantine/core/styles/Drawer.layer.css';
import '@mantine/core/styles/Tabs.layer.css';
import { Drawer } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { AssistantResponse } from '#client/types.gen.js';
import { lazyNamed } from '../../../components/states/lazy-named.js';
import { Loaded } from '../../../components/states/loaded.js';
import { useDocumentTitle } from '../../../components/page/use-document-title.js';
import { LeaveGuard } from '../../../forms/leave-guard.js';
import { SchemaFields } from '../../../forms/schema-form.js';
import { useIsAllowed } from '../../../session/rights.js';
import { useTexts } from '../../../texts/texts.js';
import classes from './editor.module.css';
import { EditorHeader } from './editor-header.js';
import { EditorTabs } from './editor-tabs.js';
import { assistantQuery } from '../queries.js';
import { useEditor } from './use-editor.js';

const TestChat = lazyNamed(async () => (await import('../test-chat/test-chat.js')).TestChat);
const route = getRouteApi('/shell/assistants/$id');

export function EditorPage() {
  const { id } = route.useParams();
  const assistant = useQuery(assistantQuery(Number(id)));
  return (
    <Loaded query={assistant} lines={12}>
      {(data) => <Editor key={data.id} assistant={data} />}
    </Loaded>
  );
}

function Editor({ assistant }: { readonly assistant: AssistantResponse }) {
  const t = useTexts('assistants');
  const editor = useEditor(assistant);
  const mayChat = useIsAllowed('chat');
  const { test = false } = route.useSearch();
  const [isTesting, { open, close }] = useDisclosure(test);
  useDocumentTitle(assistant.name);
  const isNarrow = useMediaQuery('(max-width: 75em)', undefined, { getInitialValueInEffect: false });
  const chat = <TestChat assistant={assistant} isOld={editor.isDirty} startsAtOnce={test} />;
  return (
    <SchemaFields schemaForm={editor.schemaForm} texts={t.fields}>
      <div className={classes.editor}>
        <div className={classes.main}>
          <EditorTabs
            assistant={assistant}
            header={<EditorHeader assistant={assistant} editor={editor} onTest={open} />}
            problems={editor.problemTabs}
          />
        </div>
        {!isNarrow && mayChat && (
          <aside className={classes.aside} aria-label={t.chat.title}>
            {chat}
          </aside>
        )}
      </div>
      <Drawer
        opened={isTesting && isNarrow === true}
        onClose={close}
        title={t.chat.title}
        size="md"
        classNames={{ body: classes.drawer ?? '' }}
      >
        {chat}
      </Drawer>
      <LeaveGuard isDirty={editor.isDirty} />
    </SchemaFields>
  );
}
