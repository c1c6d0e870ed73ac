import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';
import { Problem } from '../../components/states/problem.js';
import classes from './analytics.module.css';
import { useAnalytics } from './queries.js';

/** The figures of all days together. */
export function Totals({ days }: { readonly days: number }) {
  const t = useTexts('analytics');
  const format = useFormat();
  const query = useAnalytics(days, 'day');
  if (query.error && !query.data) return <Problem error={query.error} onRetry={() => void query.refetch()} />;
  const { calls, conversations } = query.data?.totals ?? {};
  const wait = calls?.response_ms;
  const tokens = [calls?.tokens, conversations?.tokens].filter((each) => !!each);
  const sum = (field: 'input' | 'output') => tokens.reduce((all, each) => all + each[field], 0);
  return (
    <dl className={classes.totals} aria-busy={!query.data || undefined}>
      <Total name={t.measures.calls} hint={calls && t.minutes(format.number(calls.minutes))}>
        {calls && format.number(calls.count)}
      </Total>
      <Total
        name={t.measures.conversations}
        hint={
          conversations && (
            <>
              {t.messages(format.number(conversations.messages), conversations.messages)}
              <br />
              {t.ofConversations({
                withPerson: format.number(conversations.with_person),
                ended: format.number(conversations.ended),
                tests: format.number(conversations.tests),
              })}
            </>
          )
        }
      >
        {conversations && format.number(conversations.count)}
      </Total>
      <Total name={t.measures.cost} hint={calls && t.ofCarrier(format.money(calls.carrier_cost))}>
        {calls && format.money(calls.total_cost + (conversations?.total_cost ?? 0))}
      </Total>
      <Total name={t.wait} hint={wait ? t.slowest(format.number(wait.p95)) : t.notMeasured}>
        {calls && (wait ? `${format.number(wait.p50)} ms` : '–')}
      </Total>
      <Total
        name={t.tokens}
        hint={tokens.length > 0 ? t.tokensOut(format.number(sum('output'))) : t.notMeasured}
      >
        {calls && (tokens.length > 0 ? format.number(sum('input')) : '–')}
      </Total>
    </dl>
  );
}

interface Props {
  readonly name: string;
  readonly hint: ReactNode;
  /** Undefined until it is known. */
  readonly children: ReactNode;
}

function Total({ name, hint, children }: Props) {
  return (
    <div className={classes.total}>
      <dt>{name}</dt>
      <dd className={classes.value}>{children ?? <Skeleton height={22} width="50%" mt={6} />}</dd>
      <dd className={classes.hint}>{children !== undefined && hint}</dd>
    </div>
  );
}
