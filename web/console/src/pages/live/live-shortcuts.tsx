import { ShortcutsHelp } from '../../components/actions/shortcuts-help.js';
import { useTexts } from '../../texts/texts.js';

const KEYS = [
  ['J', 'next'],
  ['K', 'previous'],
  ['L', 'listen'],
  ['W', 'whisper'],
  ['T', 'takeOver'],
  ['B', 'handBack'],
  ['M', 'mute'],
  ['?', 'help'],
] as const;

interface Props {
  readonly opened: boolean;
  readonly onClose: () => void;
}

export function LiveShortcuts(props: Props) {
  const t = useTexts('live').shortcuts;
  return <ShortcutsHelp keys={KEYS.map(([key, name]) => [key, t[name]])} {...props} />;
}
