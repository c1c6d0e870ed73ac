import { Badge, Button, CloseButton, Group, TextInput } from '@mantine/core';
import { type FormEvent, type ReactElement, useState } from 'react';
import { useTexts } from '../../texts/texts.js';
import { MAX_TAG_LENGTH, MOST_TAGS, tagsWith } from './tags.js';

interface Props {
  readonly tags: readonly string[];
  readonly isAllowed: boolean;
  readonly isBusy: boolean;
  /** A link to what else has the tag, drawn with these properties. */
  readonly renderLink: (tag: string, props: object) => ReactElement;
  readonly onChange: (tags: readonly string[]) => void;
}

/** The tags of a call or a conversation. Each leads to the others that have it. */
export function TagEditor({ tags, isAllowed, isBusy, renderLink, onChange }: Props) {
  const { tags: t } = useTexts('common');
  const [typed, setTyped] = useState('');
  const add = (event: FormEvent) => {
    event.preventDefault();
    const changed = tagsWith(tags, typed);
    if (changed.length > tags.length) onChange(changed);
    setTyped('');
  };
  return (
    <>
      {tags.length > 0 && (
        <Group gap="xs" mb="sm">
          {tags.map((tag) => (
            <Group key={tag} gap={2} wrap="nowrap">
              <Badge
                color="gray"
                style={{ cursor: 'pointer' }}
                renderRoot={(props: object) => renderLink(tag, props)}
              >
                {tag}
              </Badge>
              {isAllowed && (
                <CloseButton
                  size={24}
                  iconSize={14}
                  aria-label={t.remove(tag)}
                  onClick={() => onChange(tags.filter((other) => other !== tag))}
                />
              )}
            </Group>
          ))}
        </Group>
      )}
      {isAllowed && tags.length < MOST_TAGS && (
        <form onSubmit={add}>
          <Group gap="xs" align="flex-end" wrap="nowrap">
            <TextInput
              label={t.label}
              value={typed}
              size="xs"
              maxLength={MAX_TAG_LENGTH}
              autoComplete="off"
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            />
            <Button type="submit" size="xs" variant="default" loading={isBusy}>
              {t.add}
            </Button>
          </Group>
        </form>
      )}
    </>
  );
}
