import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import {
  BookOpen,
  Bot,
  ChartNoAxesColumn,
  ChartPie,
  CreditCard,
  Hash,
  Inbox,
  KeyRound,
  type LucideIcon,
  Megaphone,
  Phone,
  Plug,
  Puzzle,
  Radio,
  ScrollText,
  Settings,
  ShieldCheck,
  Users,
  Webhook,
  Wrench,
} from 'lucide-react';
import { includes, rightsQuery, type Scope } from '../session/rights.js';
import { useLanguage, useTexts } from '../texts/texts.js';
import { pluginPagesQuery } from './plugin-pages.js';
import type { shellPt } from './shell.pt.js';
import classes from './shell.module.css';

interface Item {
  readonly name: keyof (typeof shellPt)['links'];
  readonly to: NonNullable<LinkProps['to']>;
  readonly icon: LucideIcon;
  /** Right that the page requires. */
  readonly needs?: Scope;
}

const GROUPS: readonly {
  readonly name: Exclude<keyof (typeof shellPt)['groups'], 'plugins'>;
  readonly items: readonly Item[];
}[] = [
  {
    name: 'work',
    items: [
      { name: 'overview', to: '/', icon: ChartNoAxesColumn },
      { name: 'inbox', to: '/inbox', icon: Inbox },
      { name: 'live', to: '/live', icon: Radio },
      { name: 'calls', to: '/calls', icon: Phone },
      { name: 'campaigns', to: '/campaigns', icon: Megaphone },
      { name: 'analytics', to: '/analytics', icon: ChartPie },
    ],
  },
  {
    name: 'build',
    items: [
      { name: 'assistants', to: '/assistants', icon: Bot },
      { name: 'tools', to: '/tools', icon: Wrench },
      { name: 'mcpServers', to: '/mcp-servers', icon: Plug },
      { name: 'knowledge', to: '/knowledge', icon: BookOpen },
      { name: 'numbers', to: '/numbers', icon: Hash },
      { name: 'webhooks', to: '/webhooks', icon: Webhook },
    ],
  },
  {
    name: 'account',
    items: [
      { name: 'members', to: '/members', icon: Users, needs: 'admin' },
      { name: 'keys', to: '/keys', icon: KeyRound, needs: 'admin' },
      { name: 'billing', to: '/billing', icon: CreditCard },
      { name: 'audit', to: '/audit', icon: ScrollText, needs: 'admin' },
      { name: 'privacy', to: '/privacy', icon: ShieldCheck, needs: 'admin' },
      { name: 'settings', to: '/settings', icon: Settings },
    ],
  },
];

interface Props {
  /** Number of waiting conversations. */
  readonly waiting: number;
  readonly onNavigate?: () => void;
}

export function Navigation({ waiting, onNavigate }: Props) {
  const t = useTexts('shell');
  const { language } = useLanguage();
  const { data: pages = [] } = useQuery(pluginPagesQuery);
  const { data: rights } = useQuery(rightsQuery);
  const isOffered = ({ needs }: Item) => !needs || (rights !== undefined && includes(rights, needs));
  return (
    <nav aria-label={t.navigation} className={classes.navigation}>
      {GROUPS.map(({ name, items }) => (
        <div key={name} className={classes.group}>
          <Text size="xs" c="dimmed" fw={500} className={classes.groupName} id={`group-${name}`}>
            {t.groups[name]}
          </Text>
          <ul className={classes.links} aria-labelledby={`group-${name}`}>
            {items.filter(isOffered).map((item) => (
              <li key={item.name}>
                <Link
                  to={item.to}
                  className={classes.link}
                  activeOptions={{ exact: item.to === '/', includeSearch: false }}
                  {...(onNavigate && { onClick: onNavigate })}
                >
                  <item.icon size={17} strokeWidth={1.75} aria-hidden="true" />
                  <span className={classes.linkName}>{t.links[item.name]}</span>
                  {item.name === 'inbox' && waiting > 0 && <span className={classes.count}>{waiting}</span>}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
      {pages.length > 0 && (
        <div className={classes.group}>
          <Text size="xs" c="dimmed" fw={500} className={classes.groupName} id="group-plugins">
            {t.groups.plugins}
          </Text>
          <ul className={classes.links} aria-labelledby="group-plugins">
            {pages.map(({ name, title }) => (
              <li key={name}>
                <Link
                  to="/plugins/$name"
                  params={{ name }}
                  className={classes.link}
                  {...(onNavigate && { onClick: onNavigate })}
                >
                  <Puzzle size={17} strokeWidth={1.75} aria-hidden="true" />
                  <span className={classes.linkName}>{title[language]}</span>
                </Link>
              </li>
            ))}
          </ul>
        </div>
      )}
    </nav>
  );
}
