import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Table.layer.css';
import { Select, Table, Text, TextInput } from '@mantine/core';
import table from '../../../components/tables/list-table.module.css';
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
  const edit = (at: number, part: Partial<Column>) =>
    onChange(columns.map((column, other) => (other === at ? { ...column, ...part } : column)));
  return (
    <div className={table.scroll}>
      <Table className={table.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.column}</Table.Th>
            <Table.Th>{t.meaning}</Table.Th>
            <Table.Th>{t.name}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {columns.map((column, at) => (
            <MappingRow
              key={at}
              column={column}
              label={column.name || t.numbered(at + 1)}
              onEdit={(part) => edit(at, part)}
            />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

interface RowProps {
  readonly column: Column;
  readonly label: string;
  readonly onEdit: (part: Partial<Column>) => void;
}

function MappingRow({ column, label, onEdit }: RowProps) {
  const { import: t } = useTexts('campaigns');
  return (
    <Table.Tr>
      <Table.Td>
        <Text fw={500}>{label}</Text>
        <Text size="xs" c="dimmed" lineClamp={1}>
          {column.sample}
        </Text>
      </Table.Td>
      <Table.Td>
        <Select
          aria-label={`${t.meaning}: ${label}`}
          data={MEANINGS.map((value) => ({ value, label: t.meanings[value] }))}
          value={column.meaning}
          allowDeselect={false}
          miw="9rem"
          onChange={(meaning) => onEdit({ meaning: meaning ?? 'ignore' })}
        />
      </Table.Td>
      <Table.Td>
        {column.meaning === 'variable' && (
          <TextInput
            aria-label={`${t.name}: ${label}`}
            value={column.variable}
            miw="9rem"
            onChange={(event) => onEdit({ variable: event.currentTarget.value })}
          />
        )}
      </Table.Td>
    </Table.Tr>
  );
}

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
