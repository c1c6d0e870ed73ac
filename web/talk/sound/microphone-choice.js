// Which microphones there are, and which one the person has chosen on this site.

const KEY = 'prosa-microphone';
/** Entries of Chrome that stand for one of the others. */
const ALIASES = new Set(['default', 'communications']);
/** Where the page may not store anything, a choice lasts as long as the page. */
let unstored = null;

/** @returns {Promise<MediaDeviceInfo[]>} all microphones, the system's first; none where the browser does not say */
export async function listMicrophones() {
  try {
    const devices = await navigator.mediaDevices.enumerateDevices();
    return devices.filter(({ kind }) => kind === 'audioinput');
  } catch {
    return [];
  }
}

/** The microphones that a person can choose from. Without permission browsers name none. */
export function choosable(microphones) {
  return microphones.filter(({ deviceId }) => deviceId && !ALIASES.has(deviceId));
}

/** Whether the system has another microphone of its own since, as when a headset is plugged in. */
export function isOtherSystem(before, after) {
  const [was, is] = [before, after].map(systemMicrophone);
  return was && is && was !== is;
}

/** Nothing where it is not known. */
function systemMicrophone(microphones) {
  const system = microphones.find(({ deviceId }) => deviceId === 'default') ?? microphones[0];
  return system?.groupId || system?.label;
}

/** The chosen microphone, where it is there. Some browsers give a device another id in each session: the name decides then. */
export function findChosen(microphones) {
  const chosen = readChoice();
  if (!chosen) return null;
  const named = choosable(microphones);
  return (
    named.find(({ deviceId }) => deviceId === chosen.id) ??
    named.find(({ label }) => label && label === chosen.label) ??
    null
  );
}

/** @returns {{ id: string, label: string } | null} null: the system's microphone */
export function readChoice() {
  if (unstored) return unstored;
  try {
    const { id, label } = JSON.parse(localStorage.getItem(KEY)) ?? {};
    return typeof id === 'string' && id ? { id, label } : null;
  } catch {
    return null;
  }
}

/** @param {{ deviceId: string, label: string } | null} microphone null: the system's */
export function keepChoice(microphone) {
  const choice = microphone && { id: microphone.deviceId, label: microphone.label };
  unstored = null;
  try {
    if (choice) localStorage.setItem(KEY, JSON.stringify(choice));
    else localStorage.removeItem(KEY);
  } catch {
    unstored = choice;
  }
}
