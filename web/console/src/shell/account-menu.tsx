import { Avatar, Menu, Text, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { BookText, ChevronsUpDown, LogOut } from 'lucide-react';
import { endBrowserSession } from '#client/sdk.gen.js';
import { LANGUAGES } from '../../../shared/languages.js';
import { ApiError } from '../api/api-error.js';
import { dataOf } from '../api/client.js';
import { Segments } from '../components/inputs/segments.js';
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
        <SchemeSwitch />
        <LanguageSwitch />
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

function SchemeSwitch() {
  const t = useTexts('shell');
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <div className={classes.menuSwitch}>
      <Segments
        label={t.theme.title}
        value={colorScheme}
        onChange={setColorScheme}
        options={SCHEMES.map((value) => ({ value, label: t.theme[value] }))}
      />
    </div>
  );
}

function LanguageSwitch() {
  const t = useTexts('shell');
  const { language, change } = useLanguage();
  return (
    <div className={classes.menuSwitch}>
      <Segments
        label={t.language.title}
        value={language}
        onChange={(value) => void change(value)}
        options={LANGUAGES.map((value) => ({ value, label: t.language[value] }))}
      />
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
    mutationFn: () => dataOf(endBrowserSession({ throwOnError: true })),
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
