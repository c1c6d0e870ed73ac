import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { getRouteApi } from '@tanstack/react-router';
import { History } from 'lucide-react';
import { lazyNamed } from '../../../components/states/lazy-named.js';
import { useField } from '../../../forms/schema-form.js';
import { useTexts } from '../../../texts/texts.js';
import { PlaceholderArea } from './placeholder-area.js';

const PromptVersions = lazyNamed(async () => (await import('./prompt-versions.js')).PromptVersions);
const route = getRouteApi('/shell/assistants/$id');

/** The prompt, with its version history. */
export function PromptField() {
  const { versions: t } = useTexts('assistants');
  const id = Number(route.useParams().id);
  const { value, set } = useField('system_prompt');
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <div>
      <PlaceholderArea name="system_prompt" rows={10} most={30} />
      <Button variant="subtle" size="xs" mt="xs" leftSection={<History size={15} />} onClick={open}>
        {t.open}
      </Button>
      {isOpen && (
        <PromptVersions
          assistantId={id}
          prompt={typeof value === 'string' ? value : ''}
          onUse={(prompt: string) => {
            set(prompt);
            close();
          }}
          onClose={close}
        />
      )}
    </div>
  );
}
