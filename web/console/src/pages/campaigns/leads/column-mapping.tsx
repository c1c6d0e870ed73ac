import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/InlineInput.layer.css';
import { Select, Text, TextInput } from '@mantine/core';
import { type Column as TableColumn, DataTable } from '../../../components/tables/data-table.js';
import { useTexts } from '../../../texts/texts.js';
import type { Column, Meaning } from './file-columns.js';

const MEANINGS: readonly Meaning[] = ['phone', 'variable', 'contact', 'ignore'];

interface Props {
  readonly columns: readonly Column[];
  readonly onChange: (columns: readonly Column[]) => void;
}

/** What each column of a file is used as. */
export function ColumnMapping({ columns, onChange }: Props) {
  const { import: t } = useTexts('campaigns');
  const rows = columns.map((column, at) => ({ ...column, at, label: column.name || t.numbered(at + 1) }));
  const edit = ({ at }: Mapped, part: Partial<Column>) =>
    onChange(columns.map((column, other) => (other === at ? { ...column, ...part } : column)));
  const heads: readonly TableColumn<Mapped>[] = [
    {
      key: 'column',
      head: t.column,
      kind: 'text',
      cell: ({ label, sample }) => (
        <>
          <Text fw={500}>{label}</Text>
          <Text size="xs" c="dimmed" lineClamp={1}>
            {sample}
          </Text>
        </>
      ),
    },
    {
      key: 'meaning',
      head: t.meaning,
      cell: (row) => (
        <Select
          aria-label={`${t.meaning}: ${row.label}`}
          data={MEANINGS.map((value) => ({ value, label: t.meanings[value] }))}
          value={row.meaning}
          allowDeselect={false}
          miw="9rem"
          onChange={(meaning) => edit(row, { meaning: meaning ?? 'ignore' })}
        />
      ),
    },
    {
      key: 'name',
      head: t.name,
      cell: (row) =>
        row.meaning === 'variable' && (
          <TextInput
            aria-label={`${t.name}: ${row.label}`}
            value={row.variable}
            miw="9rem"
            onChange={(event) => edit(row, { variable: event.currentTarget.value })}
          />
        ),
    },
  ];
  return <DataTable name={t.column} columns={heads} rows={rows} keyOf={({ at }) => at} />;
}

/** A column with its place in the file. */
type Mapped = Column & { readonly at: number; readonly label: string };

/** Why the file cannot be imported with this mapping. */
export function useMappingIssue(columns: readonly Column[]): string | null {
  const { import: t } = useTexts('campaigns');
  const phones = columns.filter(({ meaning }) => meaning === 'phone').length;
  if (phones === 0) return t.needsPhone;
  if (phones > 1) return t.onePhone;
  const names = columns
    .filter(({ meaning }) => meaning === 'variable')
    .map(({ variable }) => variable.trim());
  if (names.includes('')) return t.noName;
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  return twice === undefined ? null : t.twice(twice);
}
