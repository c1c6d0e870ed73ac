import { Text } from '@mantine/core';
import type { AnalyticsGroupResponse } from '#client/types.gen.js';
import { Dimmed } from '../../components/dimmed.js';
import { Segments } from '../../components/inputs/segments.js';
import { Panel } from '../../components/page/panel.js';
import { Loaded } from '../../components/states/loaded.js';
import { CardLabel } from '../../components/tables/card-label.js';
import table from '../../components/tables/data-table.module.css';
import { TableScroll } from '../../components/tables/table-scroll.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';
import classes from './analytics.module.css';
import { useAnalytics } from './queries.js';
import { type Group, GROUPS } from './view.js';

interface Props {
  readonly days: number;
  readonly by: Group;
  readonly onBy: (by: Group) => void;
}

/** The same figures for each assistant, or each campaign, the busiest first. */
export function Groups({ days, by, onBy }: Props) {
  const t = useTexts('analytics');
  const query = useAnalytics(days, by);
  return (
    <Panel
      flush
      title={t.groups.title}
      actions={
        <div className={classes.by}>
          <Segments
            label={t.groups.title}
            value={by}
            options={GROUPS.map((value) => ({ value, label: t.groups[value] }))}
            onChange={onBy}
          />
        </div>
      }
    >
      <Loaded query={query} lines={5}>
        {({ groups }) =>
          groups.length === 0 ? <Dimmed p="lg">{t.none}</Dimmed> : <GroupTable groups={groups} by={by} />
        }
      </Loaded>
    </Panel>
  );
}

function GroupTable({
  groups,
  by,
}: {
  readonly groups: readonly AnalyticsGroupResponse[];
  readonly by: Group;
}) {
  const t = useTexts('analytics');
  // No conversation is of a campaign.
  const hasConversations = by === 'assistant';
  return (
    <TableScroll name={t.groups.title}>
      <table className={table.table} data-cards>
        <thead>
          <tr>
            <th scope="col">{t.groups.of[by]}</th>
            <th scope="col" className={table.number}>
              {t.measures.calls}
            </th>
            <th scope="col" className={table.number}>
              {t.measures.minutes}
            </th>
            {hasConversations && (
              <th scope="col" className={table.number}>
                {t.measures.conversations}
              </th>
            )}
            <th scope="col" className={table.number}>
              {t.wait}
            </th>
            <th scope="col" className={table.number}>
              {t.groups.tokens}
            </th>
            <th scope="col" className={table.number}>
              {t.measures.cost}
            </th>
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <Row key={group.id ?? ''} group={group} by={by} hasConversations={hasConversations} />
          ))}
        </tbody>
      </table>
    </TableScroll>
  );
}

interface RowProps {
  readonly group: AnalyticsGroupResponse;
  readonly by: Group;
  readonly hasConversations: boolean;
}

function Row({ group: { name, calls, conversations }, by, hasConversations }: RowProps) {
  const t = useTexts('analytics');
  const format = useFormat();
  const tokens = [calls.tokens, conversations?.tokens].filter((each) => !!each);
  const used = tokens.reduce((sum, { input, output }) => sum + input + output, 0);
  return (
    <tr>
      <td className={table.wrap}>
        {name ?? (
          <Text span c="dimmed" inherit>
            {t.groups.without[by]}
          </Text>
        )}
      </td>
      <td className={table.number}>
        <CardLabel>{t.measures.calls}</CardLabel>
        {format.number(calls.count)}
      </td>
      <td className={table.number}>
        <CardLabel>{t.measures.minutes}</CardLabel>
        {format.number(calls.minutes)}
      </td>
      {hasConversations && (
        <td className={table.number}>
          <CardLabel>{t.measures.conversations}</CardLabel>
          {format.number(conversations?.count ?? 0)}
        </td>
      )}
      <td className={table.number}>
        <CardLabel>{t.wait}</CardLabel>
        {calls.response_ms ? `${format.number(calls.response_ms.p50)} ms` : '–'}
      </td>
      <td className={table.number}>
        <CardLabel>{t.groups.tokens}</CardLabel>
        {tokens.length > 0 ? format.number(used) : '–'}
      </td>
      <td className={table.number}>
        <CardLabel>{t.measures.cost}</CardLabel>
        {format.money(calls.total_cost + (conversations?.total_cost ?? 0))}
      </td>
    </tr>
  );
}
