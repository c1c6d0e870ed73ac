import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { listCalls } from '#client/sdk.gen.js';
import type { ListCallsData } from '#client/types.gen.js';
import { dataOf } from '../../api/client.js';
import { useDailySpend } from '../../components/spend-chart.js';
import { useBadge } from '../../components/page/title-badge.js';
import { meQuery } from '../../session/me.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';
import classes from './overview.module.css';

/** Current figures, each with a link to its page. */
export function Stats() {
  const t = useTexts('overview').stats;
  const format = useFormat();
  const today = format.today();
  const live = useCallCount({ status: 'in-progress' });
  const calls = useCallCount({ date_from: today, date_to: today });
  const { data: me } = useQuery(meQuery);
  const spent = useDailySpend().data?.data.at(-1)?.total;
  const waiting = useBadge();
  return (
    <ul className={classes.stats}>
      <Stat name={t.waiting} link={{ to: '/inbox', search: { state: 'waiting' } }} isUrgent={waiting > 0}>
        {format.number(waiting)}
      </Stat>
      <Stat name={t.live} link={{ to: '/live' }}>
        {live !== undefined && format.number(live)}
      </Stat>
      <Stat name={t.today} link={{ to: '/calls', search: { from: today, to: today } }}>
        {calls !== undefined && format.number(calls)}
      </Stat>
      <Stat name={t.spentToday} link={{ to: '/billing' }}>
        {spent !== undefined && format.money(spent)}
      </Stat>
      <Stat name={t.balance} link={{ to: '/billing' }}>
        {me && format.money(me.total_balance)}
      </Stat>
    </ul>
  );
}

interface Props {
  readonly name: string;
  readonly link: LinkProps;
  readonly isUrgent?: boolean;
  readonly children: ReactNode;
}

function Stat({ name, link, isUrgent, children }: Props) {
  return (
    <li>
      <Link {...link} className={classes.stat} data-urgent={isUrgent || undefined}>
        <span className={classes.statName}>{name}</span>
        <span className={classes.statValue}>{children || <Skeleton height={22} width="50%" mt={6} />}</span>
      </Link>
    </li>
  );
}

function useCallCount(query: NonNullable<ListCallsData['query']>): number | undefined {
  const { data } = useQuery({
    queryKey: ['calls', 'count', query],
    queryFn: ({ signal }) => dataOf(listCalls, { query: { ...query, per_page: 1 }, signal }),
  });
  return data?.total;
}
