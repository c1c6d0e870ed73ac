import { Avatar, Menu, Text, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { BookText, ChevronsUpDown, LogOut } from 'lucide-react';
import { endBrowserSession } from '#client/sdk.gen.js';
import { LANGUAGES } from '../../../shared/languages.js';
import { ApiError } from '../api/api-error.js';
import { dataOf } from '../api/client.js';
import { meQuery } from '../session/me.js';
import { useLanguage, useTexts } from '../texts/texts.js';
import { useErrorText } from '../texts/use-error-text.js';
import { useFormat } from '../texts/use-format.js';
import classes from './shell.module.css';

const SCHEMES = ['light', 'dark', 'auto'] as const;

export function AccountMenu() {
  const t = useTexts('shell');
  const format = useFormat();
  const { data: me } = useQuery(meQuery);
  const signOut = useSignOut();
  return (
    <Menu width={232} position="top-start">
      <Menu.Target>
        <UnstyledButton className={classes.account} aria-label={`${t.account}: ${me?.name ?? ''}`}>
          <Avatar size={30} radius="md" color="iris" name={me?.name ?? ''} />
          <span className={classes.accountText}>
            <Text size="sm" fw={500} truncate>
              {me?.name}
            </Text>
            <Text size="xs" c="dimmed" truncate className="tabular">
              {t.balance}: {me ? format.money(me.total_balance) : '…'}
            </Text>
          </span>
          <ChevronsUpDown size={15} aria-hidden="true" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{me?.email}</Menu.Label>
        <SchemeChoices />
        <LanguageChoices />
        <Menu.Divider />
        <Menu.Item component="a" href="/docs" target="_blank" leftSection={<BookText size={16} />}>
          {t.docs}
        </Menu.Item>
        <Menu.Item leftSection={<LogOut size={16} />} onClick={() => signOut.mutate()}>
          {t.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function SchemeChoices() {
  const t = useTexts('shell');
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Choices
      title={t.theme.title}
      names={t.theme}
      values={SCHEMES}
      chosen={colorScheme}
      onChoose={setColorScheme}
    />
  );
}

function LanguageChoices() {
  const t = useTexts('shell');
  const { language, change } = useLanguage();
  return (
    <Choices
      title={t.language.title}
      names={t.language}
      values={LANGUAGES}
      chosen={language}
      onChoose={(value) => void change(value)}
    />
  );
}

interface ChoicesProps<Value extends string> {
  readonly title: string;
  readonly names: Readonly<Record<Value, string>>;
  readonly values: readonly Value[];
  readonly chosen: Value;
  readonly onChoose: (value: Value) => void;
}

/** One of some values, by items of the menu: arrows reach them as they reach its other items. */
function Choices<Value extends string>({ title, names, values, chosen, onChoose }: ChoicesProps<Value>) {
  const choose = (next: string) => {
    const value = values.find((each) => each === next);
    if (value !== undefined) onChoose(value);
  };
  return (
    <div role="group" aria-label={title}>
      <Menu.RadioGroup value={chosen} onChange={choose}>
        <Menu.Label>{title}</Menu.Label>
        {values.map((value) => (
          <Menu.RadioItem key={value} value={value} closeMenuOnClick={false}>
            {names[value]}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </div>
  );
}

function useSignOut() {
  const t = useTexts('shell');
  const errorText = useErrorText();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const leave = async () => {
    await navigate({ to: '/sign-in' });
    queries.clear();
  };
  return useMutation({
    mutationFn: () => dataOf(endBrowserSession, {}),
    onSuccess: leave,
    onError: (error) => {
      // An expired session counts as signed out.
      if (error instanceof ApiError && error.status === 401) return leave();
      notifications.show({
        message: `${t.stillSignedIn} ${errorText(error)}`,
        color: 'red',
        autoClose: false,
        // Other notifications would cover this menu, which is needed to try again.
        position: 'bottom-center',
      });
      return undefined;
    },
  });
}
