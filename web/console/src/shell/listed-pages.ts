import { useQuery } from '@tanstack/react-query';
import type { LinkProps } from '@tanstack/react-router';
import {
  BookOpen,
  Bot,
  ChartNoAxesColumn,
  ChartPie,
  CreditCard,
  FlaskConical,
  Hash,
  Inbox,
  KeyRound,
  type LucideIcon,
  Megaphone,
  Phone,
  PhoneOff,
  Plug,
  Radio,
  ScrollText,
  Settings,
  ShieldCheck,
  Users,
  Webhook,
  Wrench,
} from 'lucide-react';
import { includes, rightsQuery, type Scope } from '../session/rights.js';
import type { shellPt } from './shell.pt.js';

/** A page of the navigation. */
export interface ListedPage {
  readonly name: keyof (typeof shellPt)['links'];
  readonly to: NonNullable<LinkProps['to']>;
  readonly icon: LucideIcon;
  /** Right that the page requires. */
  readonly needs?: Scope;
}

const GROUPS: readonly {
  readonly name: Exclude<keyof (typeof shellPt)['groups'], 'plugins'>;
  readonly items: readonly ListedPage[];
}[] = [
  {
    name: 'work',
    items: [
      { name: 'overview', to: '/', icon: ChartNoAxesColumn },
      { name: 'inbox', to: '/inbox', icon: Inbox },
      { name: 'live', to: '/live', icon: Radio },
      { name: 'calls', to: '/calls', icon: Phone },
      { name: 'campaigns', to: '/campaigns', icon: Megaphone },
      { name: 'doNotCall', to: '/do-not-call', icon: PhoneOff },
      { name: 'analytics', to: '/analytics', icon: ChartPie },
    ],
  },
  {
    name: 'build',
    items: [
      { name: 'assistants', to: '/assistants', icon: Bot },
      { name: 'simulations', to: '/simulations', icon: FlaskConical },
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

/** The pages that the rights of the reader open, as the navigation groups them. */
export function useListedPages() {
  const { data: rights } = useQuery(rightsQuery);
  const isOffered = ({ needs }: ListedPage) => !needs || (rights !== undefined && includes(rights, needs));
  return GROUPS.map(({ name, items }) => ({ name, items: items.filter(isOffered) }));
}
