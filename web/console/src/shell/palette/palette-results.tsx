import { useEffect, useRef } from 'react';
import { useTexts } from '../../texts/texts.js';
import type { PaletteGroup, PaletteItem } from './palette-group.js';
import classes from './palette.module.css';

interface Props {
  readonly id: string;
  /** Those that have items. */
  readonly groups: readonly PaletteGroup[];
  readonly active: PaletteItem | undefined;
  readonly onActivate: (item: PaletteItem) => void;
  readonly onChoose: (item: PaletteItem) => void;
}

/** The list of a combobox. The focus stays in its field. */
export function PaletteResults({ id, groups, active, onActivate, onChoose }: Props) {
  const t = useTexts('palette');
  const list = useRef<HTMLDivElement>(null);
  const activeId = active?.id;
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);
  return (
    <div ref={list} id={id} role="listbox" aria-label={t.results} className={classes.list}>
      {groups.map(({ name, items }) => (
        <div key={name} role="group" aria-labelledby={`${id}-${name}`} className={classes.group}>
          <div id={`${id}-${name}`} role="presentation" className={classes.groupName}>
            {t.groups[name]}
          </div>
          {items.map((item) => (
            <div
              key={item.id}
              id={`${id}-${item.id}`}
              role="option"
              aria-selected={item.id === activeId}
              className={classes.item}
              onPointerMove={() => item.id !== activeId && onActivate(item)}
              onClick={() => onChoose(item)}
            >
              <item.icon size={16} aria-hidden="true" />
              <span className={classes.label}>{item.label}</span>
              {item.detail && <span className={classes.detail}>{item.detail}</span>}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
