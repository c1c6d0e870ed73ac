import { Button, FileButton, Text } from '@mantine/core';
import { Upload } from 'lucide-react';
import { type DragEvent, useState } from 'react';
import { Dimmed } from '../dimmed.js';
import classes from './file-drop.module.css';

interface Props {
  readonly accept: string;
  readonly multiple?: boolean;
  readonly title: string;
  readonly hint: string;
  readonly action: string;
  readonly onFiles: (files: readonly File[]) => void;
}

/** Accepts files by drop or by its button. */
export function FileDrop({ accept, multiple, title, hint, action, onFiles }: Props) {
  const [isOver, setOver] = useState(false);
  const over = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const files = [...event.dataTransfer.files];
    onFiles(multiple ? files : files.slice(0, 1));
  };
  return (
    <div
      className={classes.drop}
      data-over={isOver || undefined}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Upload size={22} aria-hidden="true" />
      <Text fw={500}>{title}</Text>
      <Dimmed>{hint}</Dimmed>
      <FileButton
        accept={accept}
        multiple={multiple ?? false}
        onChange={(chosen) => onFiles(chosen === null ? [] : [chosen].flat())}
      >
        {(props) => (
          <Button {...props} variant="default" size="xs" mt="xs">
            {action}
          </Button>
        )}
      </FileButton>
    </div>
  );
}
