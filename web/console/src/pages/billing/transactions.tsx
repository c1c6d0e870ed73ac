import { Badge } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { listTransactions } from '#client/sdk.gen.js';
import type { TransactionResponse } from '#client/types.gen.js';
import { Dimmed } from '../../components/dimmed.js';
import { dataOf } from '../../api/client.js';
import { CardLabel } from '../../components/tables/card-label.js';
import table from '../../components/tables/data-table.module.css';
import { TableScroll } from '../../components/tables/table-scroll.js';
import { Loaded } from '../../components/states/loaded.js';
import { Pager } from '../../components/tables/pager.js';
import { Panel } from '../../components/page/panel.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';

const route = getRouteApi('/shell/billing');

export function Transactions() {
  const t = useTexts('billing').transactions;
  const { page } = route.useSearch();
  const navigate = useNavigate();
  const query = useQuery({
    queryKey: ['billing', 'transactions', page],
    queryFn: ({ signal }) => dataOf(listTransactions, { query: { per_page: 20, page: page ?? 1 }, signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <Panel title={t.title} flush>
      <Loaded query={query}>
        {(found) =>
          found.data.length === 0 ? (
            <Dimmed p="lg">{t.none}</Dimmed>
          ) : (
            <>
              <TransactionTable transactions={found.data} />
              <Pager
                page={found}
                onPage={(number) =>
                  void navigate({ to: '/billing', search: { page: number }, resetScroll: false })
                }
              />
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}

function TransactionTable({ transactions }: { readonly transactions: readonly TransactionResponse[] }) {
  const t = useTexts('billing').transactions;
  const format = useFormat();
  return (
    <TableScroll name={t.title}>
      <table className={table.table} data-cards>
        <thead>
          <tr>
            <th scope="col">{t.when}</th>
            <th scope="col">{t.type}</th>
            <th scope="col">{t.reference}</th>
            <th scope="col" className={table.number}>
              {t.amount}
            </th>
            <th scope="col" className={table.number}>
              {t.balance}
            </th>
          </tr>
        </thead>
        <tbody>
          {transactions.map(({ id, type, amount, balance_after, reference, created_at }) => (
            <tr key={id}>
              <td>{format.dateTime(created_at)}</td>
              <td>
                <Badge color={amount > 0 ? 'green' : 'gray'}>{t.types[type]}</Badge>
              </td>
              <td className={table.wrap}>{reference}</td>
              <td className={table.number}>
                <CardLabel>{t.amount}</CardLabel>
                {format.money(amount)}
              </td>
              <td className={table.number}>
                <CardLabel>{t.balance}</CardLabel>
                {format.money(balance_after)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroll>
  );
}
